//! Answers to text, charts and JSON, in Dutch and English.
