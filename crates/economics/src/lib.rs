//! Seconds, watts, prices and rules to money. It knows no models.
