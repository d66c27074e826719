//! Characters learned by imitation: what they attend to, decide and do.

pub mod overview;
pub mod polar;
pub mod show;
pub mod timeline;

pub use timeline::Timeline;

use repertoire_chameleon::Model;

/// Models in a table: how many stimuli, actions and numbers each has.
pub fn models(models: &[Model]) -> String {
    let mut lines = vec![["model", "stimuli", "actions", "numbers", "about"].map(str::to_owned).to_vec()];
    for model in models {
        lines.push(vec![
            model.name().to_owned(),
            (model.high().len() + model.slots().len()).to_string(),
            (model.reflexive().len() + model.external().len()).to_string(),
            model.layout().numbers().unwrap_or_default().to_string(),
            model.about().to_owned(),
        ]);
    }
    crate::columns(&lines)
}
