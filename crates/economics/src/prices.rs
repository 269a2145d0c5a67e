//! What renting and buying a machine cost, for questions that need one of the two.

use maat_base::{Assumed, Fault, FaultKind, Finding, Money, Source};
use maat_catalogue::{Catalogue, Terms};

use crate::book::Book;
use crate::machine;
use crate::rent_or_buy::{RentOrBuyRequest, capital, rent};

/// Prices of a machine; what is neither given nor in the catalogue is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    /// Rent of the whole machine for an hour.
    pub rent_per_hour: Option<Money>,
    /// Purchase of the whole machine.
    pub buy_total: Option<Money>,
    /// What was assumed of them.
    pub assumed: Vec<Assumed>,
    /// What to mind.
    pub findings: Vec<Finding>,
    /// Their sources.
    pub sources: Vec<Source>,
}

/// The prices of a machine, as given or out of the catalogue.
///
/// # Errors
/// Usage faults of the prices; names that are not known.
pub fn prices(request: &RentOrBuyRequest, catalogue: &Catalogue, terms: &Terms) -> Result<Prices, Fault> {
    let mut book = Book::new(catalogue, terms);
    let named = machine::named(&request.gpu, request.nodes, &mut book)?;
    let rent = known(rent(request, None, named.as_ref(), &mut book), "rent-missing")?;
    let buy = known(capital(request, None, named.as_ref(), &mut book), "purchase-missing")?;
    let money = |amount| Money::new(amount, terms.money());
    Ok(Prices {
        rent_per_hour: rent.map(money),
        buy_total: buy.map(money),
        sources: book.sources(),
        assumed: book.assumed,
        findings: book.findings,
    })
}

/// A price, or nothing where the fault only says that there is none.
fn known<T>(price: Result<T, Fault>, missing: &str) -> Result<Option<T>, Fault> {
    match price {
        Ok(price) => Ok(Some(price)),
        Err(fault) if fault.kind == FaultKind::Usage && fault.code == missing => Ok(None),
        Err(fault) => Err(fault),
    }
}
