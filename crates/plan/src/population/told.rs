//! What came of planning for a town: class by class, and each character's plan as a table.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Town;
use crate::domain::{Class, Domain};

/// The plans of a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassPlans {
    /// How many characters it has.
    pub characters: usize,
    /// Its name; `-` where it has none.
    pub class: String,
    /// How many different plans they have.
    pub distinct_plans: usize,
    /// For how many planning gave up.
    pub gave_up: usize,
    /// Steps of a plan, on average.
    pub mean_steps: f64,
    /// How many have no plan, proved.
    pub unsolvable: usize,
    /// How many have a plan.
    pub with_plan: usize,
}

impl Town {
    /// What came of planning, for each class. The domain must be the one that the town was made of.
    ///
    /// ```
    /// use repertoire_plan::{domain, population::{Named, Town}};
    /// let western = domain::domain("western").expect("shipped");
    /// let mut town = Town::new(&western)?;
    /// let sheriff = Named { class: Some("Sheriff"), goal: Some("ArrestOutlaw"), state: &[] };
    /// let (class, key) = town.key_of(&western, &sheriff)?;
    /// let character = town.add(class, key);
    /// town.plan_all();
    /// assert_eq!(town.by_class(&western)[class].with_plan, 1);
    /// let table = town.plans_as_csv(&western, &[(class, character)]);
    /// assert!(table.starts_with("character,class,plan\n0,Sheriff,"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_class(&self, domain: &Domain) -> Vec<ClassPlans> {
        let row = |(class, named): (usize, &Class)| {
            let handles = self.handles(class);
            let plans: Vec<&[u8]> = handles.iter().filter_map(|&handle| self.plan_of(handle)).collect();
            let none = handles.iter().filter(|&&handle| self.plan_of(handle).is_none());
            let unsolvable = none.filter(|&&handle| self.is_unsolvable(handle)).count();
            let steps: usize = plans.iter().map(|plan| plan.len()).sum();
            let distinct: BTreeSet<&[u8]> = plans.iter().copied().collect();
            ClassPlans {
                characters: handles.len(),
                class: if named.name.is_empty() { "-".into() } else { named.name.clone() },
                distinct_plans: distinct.len(),
                gave_up: handles.len() - plans.len() - unsolvable,
                mean_steps: steps as f64 / plans.len().max(1) as f64,
                unsolvable,
                with_plan: plans.len(),
            }
        };
        domain.classes.iter().enumerate().map(row).collect()
    }

    /// The plans of characters (class and number) as CSV: a line each, in their order. The domain must be the one that the town was
    /// made of.
    pub fn plans_as_csv(&self, domain: &Domain, characters: &[(usize, u32)]) -> String {
        let mut text = String::from("character,class,plan\n");
        for (at, &(class, character)) in characters.iter().enumerate() {
            let named = &domain.classes[class];
            let handle = self.handles(class)[character as usize];
            let action = |&action: &u8| domain.actions[named.actions[usize::from(action)] as usize].as_str();
            let plan = match self.plan_of(handle) {
                Some(plan) => plan.iter().map(action).collect::<Vec<&str>>().join(" "),
                None if self.is_unsolvable(handle) => "(no plan)".into(),
                None => "(gave up)".into(),
            };
            let quoted = |cell: &str| match cell.contains([',', '"', '\n']) {
                true => format!("\"{}\"", cell.replace('"', "\"\"")),
                false => cell.to_owned(),
            };
            text += &format!("{at},{},{}\n", quoted(&named.name), quoted(&plan));
        }
        text
    }
}
