//! What a door is: its name, an example, its schemas.

use std::fmt;

use schemars::JsonSchema;
#[cfg(any(test, feature = "derived-schemas"))]
use schemars::{Schema, schema_for};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::session::{Keeping, Plain, Session, Talk};
use crate::{DoorError, Library, NoFiles, schemas};

/// A part of repertoire that can be asked, a line of JSON at a time.
pub struct Door {
    /// What it is called, for example `sequence`.
    pub name: &'static str,
    /// What it is for, in a line.
    pub summary: &'static str,
    /// A line that it answers.
    pub example: &'static str,
    /// What it can load, for doors whose questions have a part that stays the same.
    pub loading: Option<Loading>,
    #[cfg(any(test, feature = "derived-schemas"))]
    derived: [fn() -> Schema; 2],
    pub(crate) open: fn() -> Box<dyn Talk>,
}

/// What a door can load once, and be asked about many times.
pub struct Loading {
    /// A line that loads.
    pub load_example: &'static str,
    /// A line that uses what the other loaded.
    pub use_example: &'static str,
    door: &'static str,
    #[cfg(any(test, feature = "derived-schemas"))]
    derived: [fn() -> Schema; 2],
}

impl Door {
    /// What it is for, an example and its schemas, to be read; the name stands out where there are colours.
    pub fn described(&self) -> String {
        let bold = anstyle::Style::new().bold();
        let (name, about, example) = (self.name, self.summary, self.example);
        let mut text = format!("{bold}{name}{bold:#}  {about}\n\nreads, for example\n{example}\n");
        if let Some(loading) = &self.loading {
            let (load, used) = (loading.load_example, loading.use_example);
            text += &format!("\nor loads once and asks many times\n{load}\n{used}\n");
        }
        text += &format!("\nschema of a question\n{}\n", schemas::of_door(name, "question"));
        text + &format!("\nschema of an answer\n{}\n\n", schemas::of_door(name, "answer"))
    }

    /// The same for other programs.
    pub fn to_json(&self) -> Value {
        let mut part = json!({ "part": self.name, "about": self.summary, "example": self.example,
            "request": self.question_schema(), "response": self.answer_schema() });
        if let Some(loading) = &self.loading {
            part["load"] = json!({ "examples": [loading.load_example, loading.use_example],
                "load": loading.load_schema(), "request": loading.use_schema() });
        }
        part
    }

    pub(crate) const fn plain<P: Part>() -> Self {
        Door {
            name: P::NAME,
            summary: P::ABOUT,
            example: P::EXAMPLE,
            loading: None,
            #[cfg(any(test, feature = "derived-schemas"))]
            derived: [|| schema_for!(P::Request), || schema_for!(P::Response)],
            open: || Box::new(Plain::<P>::new()),
        }
    }

    pub(crate) const fn loading<P: Keeps>() -> Self {
        Door {
            name: P::NAME,
            summary: P::ABOUT,
            example: P::EXAMPLE,
            loading: Some(Loading {
                load_example: P::LOAD_EXAMPLE,
                use_example: P::USE_EXAMPLE,
                door: P::NAME,
                #[cfg(any(test, feature = "derived-schemas"))]
                derived: [|| schema_for!(P::Thing), || schema_for!(P::Question)],
            }),
            #[cfg(any(test, feature = "derived-schemas"))]
            derived: [|| schema_for!(P::Request), || schema_for!(P::Response)],
            open: || Box::new(Keeping::<P>::new()),
        }
    }

    /// Answers one line on its own, reading no files. For more than one line, or to load something, open a
    /// [`session`](Door::session).
    pub fn answer(&self, line: &str) -> Result<String, DoorError> {
        crate::session::answer(&mut *(self.open)(), self.example, line, &NoFiles)
    }

    /// Begins a conversation in which no files are read.
    pub fn session(&'static self) -> Session {
        Session::new(self, NoFiles)
    }

    /// Begins a conversation in which lines may name files.
    pub fn session_with(&'static self, library: impl Library + 'static) -> Session {
        Session::new(self, library)
    }

    /// The JSON schema of a question that holds everything.
    pub fn question_schema(&self) -> Value {
        parsed(self.name, "question")
    }

    /// The JSON schema of an answer.
    pub fn answer_schema(&self) -> Value {
        parsed(self.name, "answer")
    }

    /// What the types say, from which the packed schemas are made.
    #[cfg(any(test, feature = "derived-schemas"))]
    pub(crate) fn derived_schemas(&self) -> Vec<(&'static str, Schema)> {
        let whole = ["question", "answer"].into_iter().zip(&self.derived);
        let loading =
            self.loading.iter().flat_map(|loading| ["load", "use"].into_iter().zip(&loading.derived));
        whole.chain(loading).map(|(what, schema)| (what, schema())).collect()
    }
}

fn parsed(door: &str, what: &str) -> Value {
    serde_json::from_str(schemas::of_door(door, what)).unwrap_or_default()
}

impl Loading {
    /// The JSON schema of what `load` holds.
    pub fn load_schema(&self) -> Value {
        parsed(self.door, "load")
    }

    /// The JSON schema of a question about what was loaded.
    pub fn use_schema(&self) -> Value {
        parsed(self.door, "use")
    }
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Door").field(&self.name).finish()
    }
}

/// A door that answers each line from that line alone.
pub(crate) trait Part: 'static {
    const NAME: &'static str;
    const ABOUT: &'static str;
    const EXAMPLE: &'static str;
    type Request: DeserializeOwned + JsonSchema;
    type Response: Serialize + JsonSchema;
    const ANSWER: Answer<Self>;
}

/// How a part answers.
pub(crate) type Answer<P> = fn(<P as Part>::Request) -> Result<<P as Part>::Response, String>;

/// A door that can load a part of its questions.
pub(crate) trait Keeps: 'static {
    const NAME: &'static str;
    const ABOUT: &'static str;
    const EXAMPLE: &'static str;
    const LOAD_EXAMPLE: &'static str;
    const USE_EXAMPLE: &'static str;
    /// A question that holds everything.
    type Request: DeserializeOwned + JsonSchema;
    /// What an answer looks like; it is written by `answer` and `ask`, which may borrow.
    type Response: JsonSchema;
    /// What `load` holds: some of the keys of a question.
    type Thing: DeserializeOwned + JsonSchema;
    /// The other keys.
    type Question: DeserializeOwned + JsonSchema + Uses;
    /// What is kept of a thing: checked, and ready to be asked.
    type Kept: Send;
    /// What is remembered of the last question that held everything, so that the same again need not be read again.
    type Last: Default + Send;

    /// Answers a question that holds everything.
    fn answer(
        request: Self::Request,
        last: &mut Self::Last,
        library: &dyn Library,
    ) -> Result<String, DoorError>;
    /// Checks and prepares what `load` holds.
    fn keep(thing: Self::Thing, library: &dyn Library) -> Result<Self::Kept, DoorError>;
    /// Answers a question about what was loaded.
    fn ask(used: &[&Self::Kept], question: Self::Question) -> Result<String, DoorError>;
}

/// A question that names what it uses.
pub(crate) trait Uses {
    fn used(&self) -> &Names;
}

/// What was loaded, by one name or by a list of them.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(untagged, expecting = "`use` must be a name, or a list of names")]
pub(crate) enum Names {
    /// Loaded as this.
    One(String),
    /// Several things, for a door that can use more than one.
    Several(Vec<String>),
}

impl Names {
    pub fn list(&self) -> &[String] {
        match self {
            Names::One(name) => std::slice::from_ref(name),
            Names::Several(names) => names,
        }
    }
}

impl Default for Names {
    fn default() -> Self {
        Names::Several(Vec::new())
    }
}

/// The one thing that is used, for doors that use one at a time.
pub(crate) fn only<'k, K>(used: &[&'k K]) -> Result<&'k K, DoorError> {
    match used {
        [one] => Ok(one),
        _ => Err(DoorError::Refused(format!("`use` names {} loaded things: name one", used.len()))),
    }
}

/// An answer as its line.
pub(crate) fn line(answer: &impl Serialize) -> Result<String, DoorError> {
    Ok(serde_json::to_string(answer)?)
}

/// Declares the three shapes of a question that can be loaded in part, from one list of its keys: `Request` with all of
/// them, `Thing` with those that can be loaded, `Question` with the others and `use`.
macro_rules! question {
    (
        $(#[$about:meta])*
        load { $($(#[$thing_meta:meta])* $thing:ident: $thing_type:ty,)* }
        ask { $($(#[$asked_meta:meta])* $asked:ident: $asked_type:ty,)* }
    ) => {
        $(#[$about])*
        #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Request {
            $($(#[$thing_meta])* $thing: $thing_type,)*
            $($(#[$asked_meta])* $asked: $asked_type,)*
        }

        /// What can be loaded.
        #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Thing {
            $($(#[$thing_meta])* $thing: $thing_type,)*
        }

        /// A question about what was loaded.
        #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Question {
            /// The name under which it was loaded.
            #[serde(rename = "use")]
            used: $crate::door::Names,
            $($(#[$asked_meta])* $asked: $asked_type,)*
        }

        impl $crate::door::Uses for Question {
            fn used(&self) -> &$crate::door::Names {
                &self.used
            }
        }

        impl Request {
            fn split(self) -> (Thing, Question) {
                let Request { $($thing,)* $($asked,)* } = self;
                (Thing { $($thing,)* }, Question { used: Default::default(), $($asked,)* })
            }
        }
    };
}
pub(crate) use question;
