//! What people write in a domain: facts `a=x b=y`, actions `a: x -> y if b=z`.

/// `a=x b=y`, also with commas.
pub(super) fn facts(text: &str) -> Result<Vec<Named<'_>>, String> {
    let mut facts = Vec::new();
    for word in text.split([' ', ',', '\t', '\n', '\r']).filter(|word| !word.is_empty()) {
        match word.split_once('=') {
            Some((var, value)) if !var.is_empty() && !value.is_empty() => facts.push((var, value)),
            _ => return Err(format!("`{word}` is not of the form variable=value")),
        }
    }
    Ok(facts)
}

/// A variable and a value, by name.
pub(super) type Named<'a> = (&'a str, &'a str);

/// One change: variable, value before (`None` for any), value after.
pub(super) type Change<'a> = (&'a str, Option<&'a str>, &'a str);

/// `a: x -> y, b: * -> z if c=w`.
pub(super) fn action(text: &str) -> Result<(Vec<Change<'_>>, Vec<Named<'_>>), String> {
    let (changes, conditions) = match text.split_once(" if ") {
        Some((changes, conditions)) => (changes, facts(conditions)?),
        None => (text, Vec::new()),
    };
    let mut list = Vec::new();
    for change in changes.split(',') {
        let parsed = change.split_once(':').and_then(|(var, rest)| {
            let (pre, post) = rest.split_once("->")?;
            Some((var.trim(), pre.trim(), post.trim()))
        });
        match parsed {
            Some((var, pre, post))
                if ![var, pre, post].iter().any(|part| part.is_empty() || part.contains(' ')) =>
            {
                list.push((var, (pre != "*").then_some(pre), post));
            }
            _ => return Err(format!("`{}` is not of the form variable: before -> after", change.trim())),
        }
    }
    Ok((list, conditions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        assert_eq!(facts("a=x, b=y").unwrap(), [("a", "x"), ("b", "y")]);
        assert_eq!(facts("").unwrap(), []);
        let (changes, conditions) = action("a: x -> y, b: * -> z if c=w d=v").unwrap();
        assert_eq!(changes, [("a", Some("x"), "y"), ("b", None, "z")]);
        assert_eq!(conditions, [("c", "w"), ("d", "v")]);
        for bad in ["a", "a: x", "a: x ->", ": x -> y", "a: x -> y z", "a: x -> y if c", ""] {
            assert!(action(bad).is_err(), "{bad}");
        }
    }
}
