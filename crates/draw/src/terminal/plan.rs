//! Domains of planning, and what came of planning for a population.

use repertoire_plan::Domain;
use repertoire_plan::domain::Class;
use repertoire_plan::population::ClassPlans;
use serde_json::{Value, json};

fn goals(class: &Class) -> Vec<&str> {
    class.goals.iter().map(|goal| goal.name.as_str()).collect()
}

/// Domains with their classes and goals.
pub fn domains(domains: &[Domain]) -> String {
    let mut text = String::new();
    for domain in domains {
        text += &format!("{}  {}\n", domain.name, domain.about);
        for class in &domain.classes {
            text += &format!("  {:14} {}\n", class.name, goals(class).join(", "));
        }
    }
    text
}

/// The same for other programs.
pub fn domains_as_json(domains: &[Domain]) -> Value {
    let class = |class: &Class| json!({ "class": class.name, "goals": goals(class) });
    let row = |domain: &Domain| {
        let classes: Vec<Value> = domain.classes.iter().map(class).collect();
        json!({ "name": domain.name, "about": domain.about, "classes": classes })
    };
    domains.iter().map(row).collect()
}

/// What came of planning, class by class.
pub fn population(classes: &[ClassPlans]) -> String {
    let mut text = format!(
        "{:16} {:>10} {:>10} {:>10} {:>8} {:>9} {:>10}\n",
        "class", "characters", "with plan", "no plan", "gave up", "distinct", "mean steps"
    );
    for row in classes {
        let ClassPlans { characters, class, distinct_plans, gave_up, mean_steps, unsolvable, with_plan } =
            row;
        text += &format!(
            "{class:16} {characters:>10} {with_plan:>10} {unsolvable:>10} {gave_up:>8} {distinct_plans:>9} {mean_steps:>10.2}\n"
        );
    }
    text + &format!("{} characters\n", classes.iter().map(|row| row.characters).sum::<usize>())
}
