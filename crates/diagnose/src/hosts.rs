//! Several machines in one set of inputs: each is judged by its own figures.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use maat_readings::Place;
use maat_readings::monitor::{BlockInfo, Label, Samples};

use crate::found::Found;
use crate::rules;
use crate::view::View;

/// More machines than this are not told apart.
const HOST_LIMIT: usize = 64;

/// Gives files that name no machine that of their folder: the one that its other files name, or, where several folders
/// hold files of the same name, the folder itself. `names` are the names that places carry, each with the true one.
pub fn assign(samples: &mut Samples, names: &[(String, String)]) {
    let folder = |file: &str| {
        let (_, name) = names.iter().find(|(shown, _)| shown == file)?;
        Some(Path::new(name).parent()?.to_string_lossy().into_owned())
    };
    let mut told: BTreeMap<String, BTreeSet<Arc<str>>> = BTreeMap::new();
    for block in &samples.blocks {
        if let (Some(host), Some(folder)) = (&block.host, folder(&block.place.file)) {
            told.entry(folder).or_default().insert(Arc::clone(host));
        }
    }
    let like_named = folders_are_machines(names);
    for block in &mut samples.blocks {
        let Some(folder) = folder(&block.place.file).filter(|_| block.host.is_none()) else { continue };
        block.host = match told.get(&folder) {
            Some(hosts) if hosts.len() == 1 => hosts.first().cloned(),
            None if like_named && told.is_empty() => last_part(&folder),
            _ => None,
        };
    }
}

fn last_part(folder: &str) -> Option<Arc<str>> {
    Some(Arc::from(Path::new(folder).file_name()?.to_string_lossy().as_ref()))
}

/// Whether a name of a file stands in several folders.
fn folders_are_machines(names: &[(String, String)]) -> bool {
    let mut folders: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for (_, name) in names {
        let path = Path::new(name);
        folders.entry(path.file_name()).or_default().insert(path.parent());
    }
    folders.iter().any(|(file, folders)| file.is_some() && folders.len() > 1)
}

/// The machines that the samples name.
pub fn named(samples: &Samples) -> BTreeSet<Arc<str>> {
    let rows = samples.rows.iter().filter_map(|row| row.label(Label::Host)).map(Arc::from);
    samples.blocks.iter().filter_map(|block| block.host.clone()).chain(rows).take(HOST_LIMIT).collect()
}

/// The samples of each machine, each with what belongs to none; nothing where fewer than two are named.
pub fn split(samples: &Samples) -> Vec<(Arc<str>, Samples)> {
    let hosts = named(samples);
    if hosts.len() < 2 {
        return Vec::new();
    }
    hosts.into_iter().map(|host| (Arc::clone(&host), part(samples, Some(&host)))).collect()
}

/// What belongs to a machine or to none; with no machine, what belongs to none.
fn part(samples: &Samples, host: Option<&str>) -> Samples {
    let of_block = |index: u32| samples.blocks.get(index as usize).and_then(|block| block.host.as_deref());
    let keeps = |own: Option<&str>| own.is_none() || own == host;
    let at = |place: &Place| block_at(&samples.blocks, place).and_then(|block| block.host.as_deref());
    let rows = samples.rows.iter().filter(|row| keeps(row.label(Label::Host).or(of_block(row.block))));
    Samples {
        blocks: samples.blocks.clone(),
        rows: rows.cloned().collect(),
        events: samples.events.iter().filter(|event| keeps(of_block(event.block))).cloned().collect(),
        topologies: samples.topologies.iter().filter(|own| keeps(at(&own.place))).cloned().collect(),
        peers: samples.peers.iter().filter(|own| keeps(at(&own.place))).cloned().collect(),
        cut: samples.cut,
    }
}

/// The block in which a place lies.
fn block_at<'a>(blocks: &'a [BlockInfo], place: &Place) -> Option<&'a BlockInfo> {
    blocks.iter().rev().find(|block| block.place.file == place.file && block.place.line <= place.line)
}

/// What the rules find on each machine, each cause with the machine's name, and what they find of all together once.
pub fn rules(samples: &Samples, views: &[(Arc<str>, View<'_>)]) -> Vec<Found> {
    let common = part(samples, None);
    let mut all = rules::all(&View::new(&common));
    for (host, view) in views {
        for mut found in rules::all(view) {
            let same = all.iter_mut().find(|own| own.code == found.code);
            if same.as_ref().is_some_and(|own| own.signals() >= found.signals() && own.of_all) {
                continue;
            }
            found.subject = match found.subject.as_str() {
                "" => host.to_string(),
                subject => format!("{host}: {subject}"),
            };
            found.of_all = false;
            match same {
                Some(own) if own.of_all => *own = found,
                Some(own) => own.absorb(found),
                None => all.push(found),
            }
        }
    }
    all
}
