//! Values of requests that are words with a meaning.

use std::fmt;
use std::str::FromStr;

use maat_base::Fault;
use serde_json::Value;

use crate::request::{CountOrAuto, EngineChoice};

impl FromStr for EngineChoice {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let (engine, version) = match text.split_once('@') {
            Some((engine, version)) => (engine, Some(version.trim().to_owned())),
            None => (text, None),
        };
        if version.as_ref().is_some_and(|version| {
            version.is_empty() || !version.starts_with(|c: char| c.is_ascii_digit() || c == 'b' || c == 'v')
        }) {
            return Err(Fault::usage("engine-version-malformed").with("given", text));
        }
        Ok(Self { engine: engine.parse()?, version })
    }
}

impl fmt::Display for EngineChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            Some(version) => write!(f, "{}@{version}", self.engine),
            None => write!(f, "{}", self.engine),
        }
    }
}

impl TryFrom<String> for EngineChoice {
    type Error = Fault;
    fn try_from(text: String) -> Result<Self, Fault> {
        text.parse()
    }
}

impl From<EngineChoice> for String {
    fn from(choice: EngineChoice) -> Self {
        choice.to_string()
    }
}

impl FromStr for CountOrAuto {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        if text.eq_ignore_ascii_case("auto") {
            return Ok(Self::Auto);
        }
        text.parse().map(Self::Count).map_err(|_| Fault::usage("count-malformed").with("given", text))
    }
}

impl TryFrom<Value> for CountOrAuto {
    type Error = Fault;
    fn try_from(value: Value) -> Result<Self, Fault> {
        match value {
            Value::Number(number) if number.is_u64() => Ok(number.as_u64().map_or(Self::Auto, Self::Count)),
            Value::String(text) => text.parse(),
            other => Err(Fault::usage("count-malformed").with("given", other.to_string())),
        }
    }
}

impl From<CountOrAuto> for Value {
    fn from(count: CountOrAuto) -> Self {
        match count {
            CountOrAuto::Count(n) => n.into(),
            CountOrAuto::Auto => "auto".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_with_versions() {
        let choice: EngineChoice = "vllm@0.19.0".parse().unwrap();
        assert_eq!(choice.version.as_deref(), Some("0.19.0"));
        assert_eq!(choice.to_string(), "vllm@0.19.0");
        assert!("vllm@".parse::<EngineChoice>().is_err());
        assert_eq!("rockets".parse::<EngineChoice>().unwrap_err().code, "engine-unknown");
    }

    #[test]
    fn counts() {
        assert_eq!("auto".parse(), Ok(CountOrAuto::Auto));
        assert_eq!("3".parse(), Ok(CountOrAuto::Count(3)));
        assert!("-1".parse::<CountOrAuto>().is_err());
    }
}
