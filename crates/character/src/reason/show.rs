//! Trees in words, as an outline, and as a graph in the DOT language.

use std::fmt::Write as _;

use super::{Content, Deed, Tree, Wanted};
use crate::expression::{What, show_value};
use crate::laws::{EXPLORE, Laws};
use crate::memory::Roster;
use crate::vocabulary::ThingId;

/// A deed in words: `take(apple1)`.
pub fn deed_label(deed: Deed, laws: &Laws, roster: &Roster) -> String {
    match deed {
        Deed::Perform { interaction, target, item } => {
            let law = laws.interaction(interaction);
            // What needs no target has none in words either.
            let target = (!law.is_alone).then(|| thing(target, laws, roster));
            let with: Vec<String> =
                item.map(|item| thing(item, laws, roster)).into_iter().chain(target).collect();
            if with.is_empty() { law.name.clone() } else { format!("{}({})", law.name, with.join(", ")) }
        }
        Deed::Approach(to) => format!("move to {}", thing(to, laws, roster)),
        Deed::Avoid(from) => format!("move away from {}", self::what(from, laws, roster)),
        Deed::Explore => EXPLORE.into(),
        Deed::Go(option) => format!("way {}", option + 1),
        Deed::Case(case) => format!("case {}", case + 1),
    }
}

/// A thing's name; with a question mark while it is only some thing of a kind.
fn thing(id: ThingId, laws: &Laws, roster: &Roster) -> String {
    let name = roster.label(id, laws);
    if id.unmet_kind().is_some() { format!("{name}?") } else { name.to_owned() }
}

fn what(what: What, laws: &Laws, roster: &Roster) -> String {
    match what {
        What::Thing(id) => thing(id, laws, roster),
        What::Word(word) => laws.words.word(word).to_owned(),
    }
}

/// What is wanted, in words.
pub fn wanted_label(wanted: &Wanted, laws: &Laws, roster: &Roster) -> String {
    match wanted {
        Wanted::Value { thing: id, property, op, value } => format!(
            "{}.{} {} {}",
            thing(*id, laws, roster),
            laws.property_name(*property),
            op.sign(),
            show_value(*value, laws)
        ),
        Wanted::Owns { who, what, yes } => {
            let what = self::what(*what, laws, roster);
            format!("{}{} has {what}", if *yes { "" } else { "not " }, thing(*who, laws, roster))
        }
        Wanted::Distance { what, op, limit } => {
            format!("distance to {} {} {limit}", self::what(*what, laws, roster), op.sign())
        }
        Wanted::Way(Some(to)) => format!("a way to {}", thing(*to, laws, roster)),
        Wanted::Way(None) => "a way to what was not seen yet".into(),
        Wanted::Passable(door) => format!("{} lets pass", thing(*door, laws, roster)),
        Wanted::Found(id) => format!("{} is found", thing(*id, laws, roster)),
        Wanted::Either { .. } => "one of".into(),
    }
}

fn label(tree: &Tree, node: u32, goal: &str, laws: &Laws, roster: &Roster) -> String {
    match &tree.nodes[node as usize].content {
        Content::Goal => format!("goal {goal}"),
        Content::Wanted(wanted) => wanted_label(wanted, laws, roster),
        Content::Deed(deed) => deed_label(*deed, laws, roster),
    }
}

/// The tree as an outline: `?` before what is wanted, `-` before what is done, `>` before what can be done now.
pub fn outline(tree: &Tree, goal: &str, laws: &Laws, roster: &Roster) -> String {
    let mut text = String::new();
    if tree.met {
        return format!("goal {goal}: it holds\n");
    }
    if !tree.is_open() {
        let cut = if tree.cut { " within the bounds of the search" } else { "" };
        return format!("goal {goal}: no way is known{cut}\n");
    }
    let mut depth = vec![0usize; tree.nodes.len()];
    for (at, node) in tree.nodes.iter().enumerate() {
        if at > 0 {
            depth[at] = depth[node.parent as usize] + 1;
        }
        let mark = match node.content {
            Content::Goal => "",
            Content::Wanted(_) => "? ",
            Content::Deed(deed) if deed.is_done() && tree.is_leaf(at as u32) => "> ",
            Content::Deed(_) => "- ",
        };
        let _ =
            writeln!(text, "{:1$}{mark}{2}", "", depth[at] * 2, label(tree, at as u32, goal, laws, roster));
    }
    text
}

/// The tree as a graph: boxes are done, rounded ones are wanted, red ones can be done now (as in figure 14).
pub fn dot(trees: &[(&str, &Tree)], laws: &Laws, roster: &Roster) -> String {
    let quote = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text =
        String::from("digraph reasoning {\n  node [fontname=sans, fontsize=11];\n  edge [arrowhead=none];\n");
    for (index, (goal, tree)) in trees.iter().enumerate() {
        for (at, node) in tree.nodes.iter().enumerate() {
            let style = match node.content {
                Content::Goal => "shape=ellipse, style=bold",
                Content::Wanted(_) => "shape=box, style=rounded, color=gray50",
                Content::Deed(deed) if deed.is_done() && tree.is_leaf(at as u32) => "shape=box, color=red",
                Content::Deed(_) => "shape=box",
            };
            let label = quote(&label(tree, at as u32, goal, laws, roster));
            let _ = writeln!(text, "  n{index}_{at} [label={label}, {style}];");
            if at > 0 {
                let _ = writeln!(text, "  n{index}_{} -> n{index}_{at};", node.parent);
            }
        }
    }
    text + "}\n"
}
