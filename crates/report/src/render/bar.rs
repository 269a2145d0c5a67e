//! A stacked bar of one accelerator's memory, in blocks or in letters.

use super::page::width;
use super::{Style, Tone};
use crate::Localiser;
use crate::argument::bytes;

/// A part of a bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The message that names it.
    pub label: &'static str,
    /// Its size in bytes.
    pub bytes: u64,
}

/// A stacked bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// The parts in order; those of no size are left out.
    pub parts: Vec<Part>,
    /// The capacity in bytes, where known; what is left of it is shown as free, what exceeds it as missing.
    pub capacity: Option<u64>,
}

/// How parts are told apart without colour, in blocks and in letters.
pub(super) const BLOCKS: [char; 6] = ['█', '▓', '▒', '▚', '▞', '◧'];
pub(super) const LETTERS: [char; 6] = ['#', '=', '+', 'x', 'o', '%'];

impl Bar {
    /// The bar and its legend.
    pub fn lines(&self, local: &Localiser, style: &Style) -> Vec<String> {
        let parts: Vec<&Part> = self.parts.iter().filter(|part| part.bytes > 0).collect();
        let used = parts.iter().fold(0u64, |sum, part| sum.saturating_add(part.bytes));
        let whole = used.max(self.capacity.unwrap_or(0));
        if whole == 0 {
            return Vec::new();
        }
        let signs = if style.unicode { BLOCKS } else { LETTERS };
        let room = style.width.saturating_sub(6).clamp(20, 70);
        let sizes: Vec<u64> = parts.iter().map(|part| part.bytes).chain([whole - used]).collect();
        let cells = share_out(&sizes, room);
        let mut bar = String::from("  [");
        let mut legend = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            let sign = signs[place % signs.len()];
            bar.extend(std::iter::repeat_n(sign, cells[place]));
            legend.push(format!(
                "{sign} {} {}",
                local.label(part.label),
                bytes(local.lang(), part.bytes as f64)
            ));
        }
        let empty = if style.unicode { '·' } else { '.' };
        bar.extend(std::iter::repeat_n(empty, cells[parts.len()]));
        bar.push(']');
        if let Some(capacity) = self.capacity {
            let (label, left) =
                if used > capacity { ("bar-short", used - capacity) } else { ("bar-free", capacity - used) };
            let words = format!("{} {}", local.label(label), bytes(local.lang(), left as f64));
            let words =
                if used > capacity { style.paint(Tone::Bad, &words) } else { format!("{empty} {words}") };
            legend.push(words);
        }
        let mut lines = vec![bar];
        lines.extend(flow(&legend, style.width));
        lines
    }
}

/// Cells for each size out of `room`: in proportion, at least one for every size that is not zero, `room` in all.
pub(super) fn share_out(sizes: &[u64], room: usize) -> Vec<usize> {
    let whole: u128 = sizes.iter().map(|&size| u128::from(size)).sum::<u128>().max(1);
    let mut cells: Vec<usize> = sizes
        .iter()
        .map(|&size| if size == 0 { 0 } else { ((u128::from(size) * room as u128 / whole) as usize).max(1) })
        .collect();
    while cells.iter().sum::<usize>() < room {
        let Some(place) = (0..cells.len()).max_by_key(|&place| {
            let wanted = u128::from(sizes[place]) * room as u128;
            wanted.saturating_sub(cells[place] as u128 * whole)
        }) else {
            break;
        };
        cells[place] += 1;
    }
    while cells.iter().sum::<usize>() > room {
        let Some(place) = (0..cells.len()).max_by_key(|&place| cells[place]) else { break };
        cells[place] -= 1;
    }
    cells
}

/// Items beside each other as long as they fit.
pub(super) fn flow(items: &[String], room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if width(line) + 3 + width(item) <= room => {
                line.push_str("   ");
                line.push_str(item);
            }
            _ => lines.push(format!("   {item}")),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_in_proportion_and_none_is_lost() {
        assert_eq!(share_out(&[50, 25, 25], 40), [20, 10, 10]);
        assert_eq!(share_out(&[1, 1_000_000, 0], 20), [1, 19, 0]);
        assert_eq!(share_out(&[1; 6], 20).iter().sum::<usize>(), 20);
        assert_eq!(share_out(&[u64::MAX, u64::MAX], 20), [10, 10]);
    }
}
