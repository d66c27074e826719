//! `repertoire chameleon`: characters learned by imitation, looked into.

mod show;
mod timeline;

use crate::prelude::*;

pub(crate) use repertoire::load;

subcommands! {
    /// Look into characters learned by imitation: what they attend to, decide and do
    #[command(after_help = "\
Examples:
  repertoire learn chameleon --from play.parquet --player native:5 --decisions 10 -o pupil.character
  repertoire chameleon show pupil.character
  repertoire chameleon show pupil.character --decision 3 --stimulus player --svg turns.svg
  repertoire chameleon timeline pupil.character --play play.parquet --life 2 --svg life.svg
  repertoire chameleon models

The guide is docs/guides/chameleon.md.")]
    pub struct Args;
    Show => show,
    Timeline => timeline;
    /// List the models that come with repertoire, or print one to start from
    Models {
        /// Model whose TOML to print [default: list all]
        name: Option<String>,
    } => models(name.as_deref()),
    /// Print the JSON schema of models (TOML), for editors, or of learned characters as JSON
    Schema {
        /// Which schema
        #[arg(value_enum, default_value_t = SchemaOf::Model)]
        of: SchemaOf,
    } => crate::schema::print(match of {
        SchemaOf::Model => "chameleon-model",
        SchemaOf::Character => "chameleon-character",
    }),
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SchemaOf {
    /// Stimuli and actions, as people write them
    Model,
    /// Learned characters as JSON, which earlier versions saved and every version reads
    Character,
}

fn models(name: Option<&str>) -> Result<()> {
    if let Some(name) = name {
        return output::text(load::model(name)?.text());
    }
    let models = repertoire_chameleon::model::MODELS.map(|(name, _)| load::model(name));
    output::text(&repertoire_draw::chameleon::models(&models.into_iter().collect::<Result<Vec<_>, _>>()?))
}
