//! `repertoire plan`: plan, explain plans, look at domains, draw the paper's figures.

mod figures;
mod generate;
mod lint;
mod population;
mod solve;

use repertoire_draw::terminal::plan;
use repertoire_plan::Domain;
use repertoire_plan::domain::{DOMAINS, domain};

use crate::prelude::*;

subcommands! {
    /// Plan for characters: what to do, in which order, and why
    #[command(after_help = "\
A domain is a TOML file (the guide is docs/guides/planning.md) or a SAS+ file as Fast Downward's translator writes it;
they are told apart by what is in them.

Examples:
  repertoire plan list
  repertoire plan solve western --class Sheriff --goal ArrestOutlaw --explain
  repertoire plan solve western --class Sheriff --goal ArrestOutlaw --from gun=drawn,outlaw=cornered --json
  repertoire plan solve problem.sas --dot | dot -Tsvg > plan.svg
  repertoire plan solve western --class Sheriff --from gun=?,outlaw=cornered?
  repertoire plan lint western
  repertoire plan population western --characters 1000000")]
    pub struct Args;
    Solve => solve,
    Lint => lint,
    Population => population,
    Figures => figures,
    Generate => generate;
    /// List the domains that come with repertoire
    List {
        /// Answer as JSON
        #[arg(long)]
        json: bool,
    } => {
        let domains: Vec<Domain> = DOMAINS.iter().filter_map(|(name, _)| domain(name)).collect();
        output::answer(*json, &plan::domains_as_json(&domains), || plan::domains(&domains))
    },
    /// Print the JSON schema of domain files, for editors
    Schema => crate::schema::print("domain"),
}
