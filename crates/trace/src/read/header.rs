//! What stands beside the events and matters: the accelerators and the rank. Everything else is skipped unread.

use crate::scan::{Scanner, Trouble, integer};

/// One accelerator as the profiler saw it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeviceProperties {
    pub name: Option<String>,
    /// Compute capability times ten; other vendors number their parts in the same field.
    pub capability: Option<i64>,
}

/// The part of the file's head that is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    /// The first accelerators of the list.
    pub devices: Vec<DeviceProperties>,
    /// Number of this process in the job.
    pub rank: Option<i64>,
    /// Processes in the job.
    pub world_size: Option<i64>,
}

/// A machine has at most so many accelerators; a longer list is no list of them.
const DEVICES_LIMIT: usize = 64;

/// Names of accelerators are short.
const NAME_LIMIT: usize = 128;

enum DeviceKey {
    Name,
    Major,
    Minor,
    Other,
}

enum DistributedKey {
    Rank,
    WorldSize,
    Other,
}

impl Header {
    /// Reads `deviceProperties`.
    pub(crate) fn read_devices(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Trouble> {
        if scanner.next()? != b'[' {
            return scanner.skip();
        }
        let mut more = scanner.open(b'[', b']')?;
        while more {
            if scanner.next()? == b'{' && self.devices.len() < DEVICES_LIMIT {
                let device = read_device(scanner)?;
                self.devices.push(device);
            } else {
                scanner.skip()?;
            }
            more = scanner.another(b']')?;
        }
        Ok(())
    }

    /// Reads `distributedInfo`.
    pub(crate) fn read_distributed(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Trouble> {
        if scanner.next()? != b'{' {
            return scanner.skip();
        }
        let mut more = scanner.open(b'{', b'}')?;
        while more {
            let key = scanner.key(|key| match key {
                b"rank" => DistributedKey::Rank,
                b"world_size" => DistributedKey::WorldSize,
                _ => DistributedKey::Other,
            })?;
            match key {
                DistributedKey::Rank => {
                    self.rank = scanner.scalar(integer)?.flatten().filter(|rank| *rank >= 0);
                }
                DistributedKey::WorldSize => {
                    self.world_size = scanner.scalar(integer)?.flatten().filter(|n| *n > 0);
                }
                DistributedKey::Other => scanner.skip()?,
            }
            more = scanner.another(b'}')?;
        }
        Ok(())
    }
}

fn read_device(scanner: &mut Scanner<'_>) -> Result<DeviceProperties, Trouble> {
    let mut device = DeviceProperties::default();
    let (mut major, mut minor) = (None, None);
    let mut more = scanner.open(b'{', b'}')?;
    while more {
        let key = scanner.key(|key| match key {
            b"name" => DeviceKey::Name,
            b"computeMajor" => DeviceKey::Major,
            b"computeMinor" => DeviceKey::Minor,
            _ => DeviceKey::Other,
        })?;
        match key {
            DeviceKey::Name => {
                device.name = scanner.scalar(|text| {
                    String::from_utf8_lossy(&text[..text.len().min(NAME_LIMIT)]).into_owned()
                })?;
            }
            DeviceKey::Major => major = scanner.scalar(integer)?.flatten(),
            DeviceKey::Minor => minor = scanner.scalar(integer)?.flatten(),
            DeviceKey::Other => scanner.skip()?,
        }
        more = scanner.another(b'}')?;
    }
    device.capability = major
        .filter(|major| (0..1000).contains(major))
        .map(|major| major * 10 + minor.unwrap_or(0).clamp(0, 9));
    Ok(device)
}
