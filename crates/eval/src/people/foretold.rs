//! How well a person's play is foretold by moments that were learned: of the same person, of others, of all together.
//!
//! The person's own should foretell it better than anybody else's; what is measured is
//! [`Moments::nats`](repertoire_mind::moments::Moments::nats).

use repertoire_mind::moments::Moments;
use serde::Serialize;

/// What somebody did, under several people's moments.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Foretold {
    /// How many decisions there were to foretell.
    pub decisions: usize,
    /// One for each of the moments, then one for all of them together if there are several.
    pub nats_per_decision: Vec<Under>,
    /// Whose decisions these were.
    pub players: Vec<String>,
}

/// How probable the decisions were under some moments.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Under {
    /// Nats per decision; fewer are better.
    pub nats: f64,
    /// Which moments.
    pub under: String,
}

impl Foretold {
    /// The decisions of some players under moments with names, such as those of their files.
    ///
    /// ```
    /// use repertoire_eval::people::foretold::Foretold;
    /// use repertoire_mind::moments::Moments;
    ///
    /// let nobody = Moments::pooled(&[]);
    /// let under = [("ann".to_owned(), nobody.clone()), ("bob".to_owned(), nobody.clone())];
    /// let foretold = Foretold::of(vec!["ann".to_owned()], &nobody, &under);
    /// let names: Vec<&str> = foretold.nats_per_decision.iter().map(|one| one.under.as_str()).collect();
    /// assert_eq!(names, ["ann", "bob", "all"]);
    /// ```
    pub fn of(players: Vec<String>, unseen: &Moments, learned: &[(String, Moments)]) -> Self {
        let under =
            |name: &str, moments: &Moments| Under { nats: moments.nats(unseen), under: name.to_owned() };
        let mut rows: Vec<Under> = learned.iter().map(|(name, moments)| under(name, moments)).collect();
        if learned.len() > 1 {
            let all: Vec<&Moments> = learned.iter().map(|(_, moments)| moments).collect();
            rows.push(under("all", &Moments::pooled(&all)));
        }
        Foretold { decisions: unseen.len(), nats_per_decision: rows, players }
    }
}
