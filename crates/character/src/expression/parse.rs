//! Reading expressions.

use std::ops::Range;

use repertoire_authored::nearest;

use super::{Condition, Effect, Object, Op, Term, Test, Who};
use crate::vocabulary::{PropertyId, Value, Words};

/// What is wrong in an expression, and where: bytes of its text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; {remedy}")]
pub struct Fault {
    /// Where.
    pub span: Range<usize>,
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub remedy: String,
}

/// What an expression may speak of.
pub struct Scope<'a> {
    /// Words so far; new ones are added.
    pub words: &'a mut Words,
    /// The names of all properties.
    pub properties: &'a Words,
    /// Whether there is a target.
    pub target: bool,
    /// Whether there is an item.
    pub item: bool,
    /// Whether distances may be asked for: in guards and goals.
    pub distance: bool,
}

/// Parentheses and `not` may be nested so deep; deeper is a mistake or an attack, and would end on the stack.
const DEEPEST: usize = 64;

/// Reads a condition or a guard; an empty text or `-` always holds.
pub fn parse_condition(text: &str, scope: &mut Scope<'_>) -> Result<Condition, Fault> {
    let tokens = tokens(text)?;
    if tokens.is_empty() || (tokens.len() == 1 && tokens[0].kind == Kind::Sign("-")) {
        return Ok(Condition::ALWAYS);
    }
    let mut parser = Parser { text, tokens, at: 0, depth: 0, scope };
    let condition = parser.any()?;
    parser.end()?;
    Ok(condition)
}

/// Reads an action: statements with `and`, a comma or a semicolon between; an empty text does nothing.
pub fn parse_action(text: &str, scope: &mut Scope<'_>) -> Result<Vec<Effect>, Fault> {
    let tokens = tokens(text)?;
    if tokens.is_empty() || (tokens.len() == 1 && tokens[0].kind == Kind::Sign("-")) {
        return Ok(Vec::new());
    }
    let mut parser = Parser { text, tokens, at: 0, depth: 0, scope };
    let mut effects = vec![parser.effect()?];
    while parser.takes_word("and") || parser.takes(",") || parser.takes(";") {
        effects.push(parser.effect()?);
    }
    parser.end()?;
    Ok(effects)
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Word(String),
    Number(f64),
    Sign(&'static str),
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    span: Range<usize>,
}

const SIGNS: [&str; 16] =
    ["!=", "<=", ">=", "==", "=", "<", ">", "(", ")", ".", ",", ";", "+", "-", "*", "/"];

fn tokens(text: &str) -> Result<Vec<Token>, Fault> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let byte = bytes[at];
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 {
            // A hyphen between letters belongs to the name: `glass-door`.
            let inside = |at: usize| {
                let byte = bytes[at];
                byte.is_ascii_alphanumeric()
                    || byte == b'_'
                    || byte >= 0x80
                    || (byte == b'-' && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric))
            };
            while at < bytes.len() && inside(at) {
                at += 1;
            }
            tokens.push(Token { kind: Kind::Word(text[start..at].to_owned()), span: start..at });
            continue;
        }
        if byte.is_ascii_digit() {
            while at < bytes.len() && (bytes[at].is_ascii_digit() || bytes[at] == b'.') {
                at += 1;
            }
            let number = text[start..at].parse().ok().filter(|number: &f64| number.is_finite());
            let Some(number) = number else {
                return Err(fault(
                    start..at,
                    format!("`{}` is not a number", &text[start..at]),
                    "write it as 3 or 0.5",
                ));
            };
            tokens.push(Token { kind: Kind::Number(number), span: start..at });
            continue;
        }
        let Some(sign) = SIGNS.iter().find(|sign| text[at..].starts_with(**sign)) else {
            let odd = text[at..].chars().next().unwrap_or('?');
            return Err(fault(
                at..at + odd.len_utf8(),
                format!("`{odd}` has no meaning here"),
                "see docs/guides/characters.md for what can be written",
            ));
        };
        at += sign.len();
        tokens.push(Token { kind: Kind::Sign(sign), span: start..at });
    }
    Ok(tokens)
}

fn fault(span: Range<usize>, what: impl Into<String>, remedy: impl Into<String>) -> Fault {
    Fault { span, what: what.into(), remedy: remedy.into() }
}

struct Parser<'a, 'b> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    scope: &'a mut Scope<'b>,
}

/// What a path such as `target.key` or a call such as `actor.own(axe)` is.
enum Piece {
    Term(Term),
    Owns(Who, Object),
    Distance(Who, Who),
}

impl Parser<'_, '_> {
    fn here(&self) -> Range<usize> {
        let end = self.text.len();
        self.tokens.get(self.at).map_or(end..end, |token| token.span.clone())
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is =
            matches!(self.tokens.get(self.at), Some(Token { kind: Kind::Sign(found), .. }) if *found == sign);
        self.at += usize::from(is);
        is
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is =
            matches!(self.tokens.get(self.at), Some(Token { kind: Kind::Word(found), .. }) if found == word);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &str, after: &str) -> Result<(), Fault> {
        if self.takes(sign) {
            return Ok(());
        }
        Err(fault(self.here(), format!("`{sign}` is missing {after}"), format!("add `{sign}`")))
    }

    fn word(&mut self, what: &str) -> Result<String, Fault> {
        match self.tokens.get(self.at) {
            Some(Token { kind: Kind::Word(word), .. }) => {
                self.at += 1;
                Ok(word.clone())
            }
            _ => Err(fault(self.here(), format!("{what} is missing"), format!("write {what} here"))),
        }
    }

    fn end(&self) -> Result<(), Fault> {
        if self.at == self.tokens.len() {
            return Ok(());
        }
        let here = self.here();
        let left = &self.text[here.start..];
        Err(fault(here, format!("`{left}` is left over"), "join conditions with `and` or `or`"))
    }

    fn any(&mut self) -> Result<Condition, Fault> {
        let mut parts = vec![self.all()?];
        while self.takes_word("or") {
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::Any(parts) })
    }

    fn all(&mut self) -> Result<Condition, Fault> {
        let mut parts = vec![self.unit()?];
        while self.takes_word("and") {
            parts.push(self.unit()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::All(parts) })
    }

    fn unit(&mut self) -> Result<Condition, Fault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(fault(self.here(), "too deeply nested", "write it flatter"));
        }
        let unit = if self.takes_word("not") {
            self.unit()?.negated()
        } else if self.takes("(") {
            let inner = self.any()?;
            self.expect(")", "after the condition")?;
            inner
        } else {
            self.test()?
        };
        self.depth -= 1;
        Ok(unit)
    }

    fn test(&mut self) -> Result<Condition, Fault> {
        let from = self.here();
        let left = self.sum()?;
        let op = self.op();
        let test = match (left, op) {
            (Piece::Owns(who, object), None) => Test::Owns(who, object, true),
            (Piece::Owns(..), Some(_)) => {
                return Err(fault(from, "`own(...)` is already true or false", "leave the comparison out"));
            }
            (Piece::Distance(a, b), Some(op)) => {
                let at = self.here();
                match self.sum()? {
                    Piece::Term(Term::Value(Value::Number(limit))) => Test::Distance(a, b, op, limit),
                    _ => {
                        return Err(fault(
                            at,
                            "a distance is compared with a number",
                            "write distance(actor, target) <= 1",
                        ));
                    }
                }
            }
            (Piece::Distance(..), None) => {
                return Err(fault(
                    from,
                    "a distance alone is neither true nor false",
                    "write distance(actor, target) <= 1",
                ));
            }
            (Piece::Term(Term::Value(Value::Bool(yes))), None) => {
                return Ok(if yes { Condition::ALWAYS } else { Condition::Any(Vec::new()) });
            }
            // A property alone is asked whether it is true.
            (Piece::Term(left @ Term::Property(..)), None) => {
                Test::Compare(left, Op::Equal, Term::Value(Value::Bool(true)))
            }
            (Piece::Term(_), None) => {
                return Err(fault(
                    from,
                    "this is neither true nor false",
                    "compare it: target.opened = false",
                ));
            }
            (Piece::Term(left), Some(op)) => {
                let at = self.here();
                let Piece::Term(right) = self.sum()? else {
                    return Err(fault(at, "a value is wanted here", "write a number, true, false or a name"));
                };
                let is_ordered = !matches!(op, Op::Equal | Op::Unequal);
                let odd = |term: &Term| matches!(term, Term::Value(Value::Bool(_) | Value::Name(_)));
                if is_ordered && (odd(&left) || odd(&right)) {
                    return Err(fault(
                        at,
                        format!("`{}` is for numbers", op.sign()),
                        "compare with = or !=, or with a number",
                    ));
                }
                Test::Compare(left, op, right)
            }
        };
        Ok(Condition::Test(test))
    }

    fn op(&mut self) -> Option<Op> {
        let signs = [
            ("=", Op::Equal),
            ("==", Op::Equal),
            ("!=", Op::Unequal),
            ("<=", Op::AtMost),
            ("<", Op::Less),
            (">=", Op::AtLeast),
            (">", Op::More),
        ];
        signs.into_iter().find(|(sign, _)| self.takes(sign)).map(|(_, op)| op)
    }

    fn sum(&mut self) -> Result<Piece, Fault> {
        let from = self.here();
        let mut left = self.product()?;
        loop {
            let plus = self.takes("+");
            if !plus && !self.takes("-") {
                return Ok(left);
            }
            let right = self.product()?;
            let (Piece::Term(a), Piece::Term(b)) = (left, right) else {
                return Err(fault(from, "only numbers are added", "use properties and numbers"));
            };
            let parts = Box::new((a, b));
            left = Piece::Term(if plus { Term::Sum(parts) } else { Term::Difference(parts) });
        }
    }

    fn product(&mut self) -> Result<Piece, Fault> {
        let from = self.here();
        let mut left = self.primary()?;
        while self.takes("*") {
            let (Piece::Term(a), Piece::Term(b)) = (left, self.primary()?) else {
                return Err(fault(from, "only numbers are multiplied", "use properties and numbers"));
            };
            left = Piece::Term(Term::Product(Box::new((a, b))));
        }
        Ok(left)
    }

    fn primary(&mut self) -> Result<Piece, Fault> {
        let value = |value| Ok(Piece::Term(Term::Value(value)));
        let negative = self.takes("-");
        let here = self.here();
        match self.tokens.get(self.at).map(|token| token.kind.clone()) {
            Some(Kind::Number(number)) => {
                self.at += 1;
                value(Value::Number(if negative { -number } else { number }))
            }
            _ if negative => Err(fault(here, "a number is missing after `-`", "write -1 or a difference")),
            Some(Kind::Word(word)) => {
                self.at += 1;
                match word.as_str() {
                    "true" => value(Value::Bool(true)),
                    "false" => value(Value::Bool(false)),
                    "own" if self.takes("(") => self.owns(Who::Actor),
                    "distance" if self.takes("(") => self.distance(here),
                    _ if self.takes(".") => {
                        let who = self.who(&word, here)?;
                        self.member(who)
                    }
                    "actor" | "target" | "item" => Err(fault(
                        here,
                        format!("`{word}` alone is not a value"),
                        format!("name a property: {word}.opened"),
                    )),
                    _ => {
                        let name = self.scope.words.intern(&word);
                        value(Value::Name(name))
                    }
                }
            }
            _ => Err(fault(here, "something is missing here", "write a property, a number or a name")),
        }
    }

    fn distance(&mut self, from: Range<usize>) -> Result<Piece, Fault> {
        if !self.scope.distance {
            return Err(fault(
                from,
                "distances belong into the guard, which tells where an interaction can be done",
                "move this to `guard = ...`",
            ));
        }
        let a = self.someone()?;
        self.expect(",", "between the two")?;
        let b = self.someone()?;
        self.expect(")", "after the two")?;
        Ok(Piece::Distance(a, b))
    }

    fn someone(&mut self) -> Result<Who, Fault> {
        let here = self.here();
        let word = self.word("`actor` or `target`")?;
        self.who(&word, here)
    }

    fn who(&mut self, word: &str, span: Range<usize>) -> Result<Who, Fault> {
        match word {
            "actor" => Ok(Who::Actor),
            "target" if self.scope.target => Ok(Who::Target),
            "target" => Err(fault(span, "there is no target here", "name the thing itself")),
            "item" if self.scope.item => Ok(Who::Item),
            "item" => Err(fault(span, "there is no item here", "items belong into interactions")),
            _ => Ok(Who::Named(self.scope.words.intern(word))),
        }
    }

    fn member(&mut self, who: Who) -> Result<Piece, Fault> {
        let here = self.here();
        let name = self.word("a property")?;
        if name == "own" && self.takes("(") {
            return self.owns(who);
        }
        Ok(Piece::Term(Term::Property(who, self.property(&name, here)?)))
    }

    fn property(&mut self, name: &str, span: Range<usize>) -> Result<PropertyId, Fault> {
        if let Some(known) = self.scope.properties.find(name) {
            return Ok(PropertyId(known.0));
        }
        let known: Vec<&str> = self.scope.properties.iter().collect();
        let remedy = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("give it to a kind, or use one of {}", known.join(", ")),
        };
        Err(fault(span, format!("no kind has a property `{name}`"), remedy))
    }

    fn owns(&mut self, who: Who) -> Result<Piece, Fault> {
        let here = self.here();
        let word = self.word("what is owned")?;
        let object = if self.takes(".") {
            let whose = self.who(&word, here)?;
            let at = self.here();
            let name = self.word("a property")?;
            Object::Property(whose, self.property(&name, at)?)
        } else {
            match word.as_str() {
                "actor" | "target" | "item" => Object::Who(self.who(&word, here)?),
                _ => Object::Word(self.scope.words.intern(&word)),
            }
        };
        self.expect(")", "after what is owned")?;
        Ok(Piece::Owns(who, object))
    }

    fn effect(&mut self) -> Result<Effect, Fault> {
        let here = self.here();
        let word = self.word("a change such as `target.opened = true`")?;
        if word == "remove" && self.takes("(") {
            let gone = self.someone()?;
            self.expect(")", "after what is removed")?;
            return Ok(Effect::Remove(gone));
        }
        let who = self.who(&word, here)?;
        self.expect(".", "after whom the change is for")?;
        let at = self.here();
        let name = self.word("a property")?;
        if name == "inventory" {
            self.expect(".", "after `inventory`")?;
            let at = self.here();
            let verb = self.word("`add` or `remove`")?;
            self.expect("(", "after what is done")?;
            let thing = self.someone()?;
            self.expect(")", "after the thing")?;
            return match verb.as_str() {
                "add" => Ok(Effect::Gain(who, thing)),
                "remove" => Ok(Effect::Lose(who, thing)),
                _ => Err(fault(at, format!("an inventory cannot `{verb}`"), "write add(...) or remove(...)")),
            };
        }
        let property = self.property(&name, at.clone())?;
        if self.takes("=") {
            let at = self.here();
            return match self.sum()? {
                Piece::Term(to) => Ok(Effect::Set(who, property, to)),
                _ => Err(fault(at, "a value is wanted here", "write a number, true, false or a name")),
            };
        }
        self.expect(".", "after the property")?;
        let verb = self.word("`add`")?;
        if verb != "add" {
            return Err(fault(at, format!("a property cannot `{verb}`"), "write add(...), or = and a value"));
        }
        self.expect("(", "after `add`")?;
        let at = self.here();
        let Piece::Term(by) = self.sum()? else {
            return Err(fault(at, "a number is wanted here", "write add(5) or add(target.energy)"));
        };
        self.expect(")", "after what is added")?;
        Ok(Effect::Add(who, property, by))
    }
}
