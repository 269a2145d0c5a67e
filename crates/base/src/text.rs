//! Texts for people before they are in a language.
//!
//! A library crate names a message and hands over typed arguments; `maat-report` holds the messages in every language
//! and forms the numbers as the locale writes them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{Bytes, Money};

/// A message of `maat-report`'s catalogues with its arguments.
///
/// In an answer's JSON it appears as one string: the report replaces the serialised form, marked by `$text`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Text {
    /// Identifier of the message, such as `verdict-fits`.
    #[serde(rename = "$text")]
    pub id: Cow<'static, str>,
    /// The arguments by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<(Cow<'static, str>, Arg)>,
}

/// An argument of a [`Text`], with the unit that decides how it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
pub enum Arg {
    /// Words that are the same in every language: names, codes, commands.
    Str(String),
    /// A whole number; also selects plurals.
    Count(u64),
    /// A plain number, written with three significant digits.
    Number(f64),
    /// An amount of memory.
    Bytes(u64),
    /// A time in seconds.
    Seconds(f64),
    /// A share from 0 to 1, written in percent.
    Share(f64),
    /// An amount of money and its currency's code.
    Money(f64, String),
    /// A power in watts.
    Watts(f64),
    /// A day, `YYYY-MM-DD`.
    Date(String),
    /// A rate in bytes per second.
    BytesPerSecond(f64),
    /// A rate in floating-point operations per second.
    FlopPerSecond(f64),
    /// A number of tokens per second.
    TokensPerSecond(f64),
    /// A text within the text.
    Text(Box<Text>),
    /// Several, joined as the language joins a list.
    List(Vec<Arg>),
}

impl Text {
    /// A message without arguments.
    pub const fn new(id: &'static str) -> Self {
        Self { id: Cow::Borrowed(id), args: Vec::new() }
    }

    /// A message whose identifier is made at run time, as those of data rows are.
    pub fn named(id: String) -> Self {
        Self { id: Cow::Owned(id), args: Vec::new() }
    }

    /// The same with one argument more.
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: impl Into<Arg>) -> Self {
        self.args.push((Cow::Borrowed(name), arg.into()));
        self
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Self::Str(text.to_owned())
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Self {
        Self::Str(text)
    }
}

impl From<u64> for Arg {
    fn from(n: u64) -> Self {
        Self::Count(n)
    }
}

impl From<u32> for Arg {
    fn from(n: u32) -> Self {
        Self::Count(u64::from(n))
    }
}

impl From<usize> for Arg {
    fn from(n: usize) -> Self {
        Self::Count(n as u64)
    }
}

impl From<Bytes> for Arg {
    fn from(bytes: Bytes) -> Self {
        Self::Bytes(bytes.0)
    }
}

impl From<Money> for Arg {
    fn from(money: Money) -> Self {
        Self::Money(money.as_f64(), money.currency.code().to_owned())
    }
}

impl From<jiff::civil::Date> for Arg {
    fn from(date: jiff::civil::Date) -> Self {
        Self::Date(date.to_string())
    }
}

impl From<Text> for Arg {
    fn from(text: Text) -> Self {
        Self::Text(Box::new(text))
    }
}

impl<T: Into<Arg>> From<Vec<T>> for Arg {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}
