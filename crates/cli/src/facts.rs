//! The facts that verbs answer from: what is compiled in, with the user's own folders laid over it.

use std::path::Path;

use maat_advise::World;
use maat_base::Fault;
use maat_catalogue::Catalogue;
use maat_estimate::Rules;

use crate::session::Session;

/// Facts, read when they are first needed.
pub struct Facts {
    /// Hardware, offers, prices.
    pub catalogue: Catalogue,
    rules: Rules,
}

impl Session {
    /// The facts of this session.
    pub fn facts(&self) -> Result<Facts, Fault> {
        Ok(Facts { catalogue: self.catalogue()?, rules: Rules::built_in()? })
    }

    /// The catalogue of this session.
    pub fn catalogue(&self) -> Result<Catalogue, Fault> {
        match self.folders.as_slice() {
            [] => Ok(Catalogue::builtin()),
            folders => Catalogue::with_overlays(folders),
        }
    }
}

impl Facts {
    /// The same, moved by own measurements where a file of them is given.
    pub fn calibrated(mut self, file: Option<&str>) -> Result<Self, Fault> {
        if let Some(file) = file {
            let table = crate::verbs::measurements(Path::new(file))?;
            maat_validate::calibrate(&table, &self.catalogue, &mut self.rules)?;
        }
        Ok(self)
    }

    /// What a question is answered from.
    pub fn world(&self, session: &Session) -> World<'_> {
        World {
            catalogue: &self.catalogue,
            rules: &self.rules,
            as_of: session.as_of,
            currency: session.currency,
            explain: session.style.explain,
            eur_per_usd: session.fx,
        }
    }
}
