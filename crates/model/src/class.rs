//! What the name of the library's class says: whether a head stands on the model, and which.

/// What stands after the last layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// Nothing: the bare model.
    None,
    /// Scores over the vocabulary.
    Language,
    /// One label for a sequence (or an image).
    Sequence,
    /// One label for each token.
    Token,
    /// Start and end of an answer.
    Question,
    /// One score for each of several answers.
    Choice,
    /// Scores over the vocabulary, and whether two sentences follow each other.
    Pretraining,
}

/// The endings of class names, as the library forms them.
const ENDINGS: &[(&str, Head)] = &[
    ("ForCausalLM", Head::Language),
    ("LMHeadModel", Head::Language),
    ("MTModel", Head::Language),
    ("ForMaskedLM", Head::Language),
    ("ForConditionalGeneration", Head::Language),
    ("ForPreTraining", Head::Pretraining),
    ("ForMultipleChoice", Head::Choice),
    ("ForSpeechToText", Head::Language),
    ("ForCTC", Head::Language),
    ("ForSequenceClassification", Head::Sequence),
    ("ForImageClassification", Head::Sequence),
    ("ForAudioClassification", Head::Sequence),
    ("ForVideoClassification", Head::Sequence),
    ("ForTokenClassification", Head::Token),
    ("ForQuestionAnswering", Head::Question),
];

/// A class name without the ending that says what it is for: `DeepseekV4ForCausalLM` gives `DeepseekV4`.
pub(crate) fn stem(class: &str) -> &str {
    let mut endings = ENDINGS.iter().map(|(ending, _)| *ending).chain(["Model"]);
    endings.find_map(|ending| class.strip_suffix(ending)).unwrap_or(class)
}

impl Head {
    /// The head of a class; an unusual name has none.
    pub(crate) fn of(class: &str) -> Self {
        ENDINGS.iter().find(|(ending, _)| class.ends_with(ending)).map_or(Self::None, |(_, head)| *head)
    }
}
