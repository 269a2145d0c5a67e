//! YOLOv8 for detection, as Ultralytics builds it (`cfg/models/v8/yolov8.yaml`): widths and depths are multiples of those
//! of the largest, and every convolution but the last of a branch is normalised.

use maat_base::Fault;

use super::convolution::normed_conv;
use crate::assemble::{Context, Draft};
use crate::config::Config;
use crate::parts::Parts;
use crate::{Length, Stack, StackKind};

/// How a size of the family is made.
struct Scale {
    depth: f64,
    width: f64,
    most: f64,
}

impl Scale {
    fn read(config: &Config) -> Result<Self, Fault> {
        let scale = Self {
            depth: config.float("depth_multiple", 1.0)?,
            width: config.float("width_multiple", 1.0)?,
            most: config.float("max_channels", 1024.0)?,
        };
        for (key, value) in [
            ("depth_multiple", scale.depth),
            ("width_multiple", scale.width),
            ("max_channels", scale.most / 1e3),
        ] {
            if !(0.0..=64.0).contains(&value) {
                return Err(config.fault(key, "config-too-large").with("value", value.to_string()));
            }
        }
        Ok(scale)
    }

    /// Channels: at most so many, times the width, rounded up to eights.
    fn channels(&self, base: f64) -> u64 {
        ((base.min(self.most) * self.width / 8.0).ceil() as u64 * 8).max(8)
    }

    fn repeats(&self, base: f64) -> u64 {
        (base * self.depth).round_ties_even().max(1.0) as u64
    }
}

/// A stack over the positions of an image that was halved so many times.
fn stage(cx: &Context, name: &'static str, width: u64, halved: u32) -> Draft {
    let over = Length::Pixels { pixels: 1 << (2 * halved), frames: 1 };
    Draft::other(cx, StackKind::Encoder, name, width, over)
}

/// The block with a branch for every bottleneck in it.
fn c2f(parts: &mut Parts, name: &str, (inputs, outputs): (u64, u64), repeats: u64) {
    let half = outputs / 2;
    normed_conv(parts, &format!("{name}.cv1"), inputs, 2 * half, 1);
    for index in 0..repeats {
        normed_conv(parts, &format!("{name}.m.{index}.cv1"), half, half, 9);
        normed_conv(parts, &format!("{name}.m.{index}.cv2"), half, half, 9);
    }
    normed_conv(parts, &format!("{name}.cv2"), (2 + repeats) * half, outputs, 1);
}

pub(super) fn yolov8(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let scale = Scale::read(config)?;
    let labels = config.int_or("num_labels", 80)?;
    let widths = [64.0, 128.0, 256.0, 512.0, 1024.0].map(|base| scale.channels(base));
    let [first, .., p3, p4, p5] = widths;
    let mut stacks = Vec::new();
    let mut start = stage(cx, "model.0", first, 1);
    normed_conv(&mut start.before, "model.0", 3, first, 9);
    stacks.push(start.done());
    let mut inputs = first;
    for (index, base) in [3.0, 6.0, 6.0, 3.0].into_iter().enumerate() {
        let width = widths[index + 1];
        let mut draft = stage(cx, "model", width, index as u32 + 2);
        normed_conv(&mut draft.before, "down", inputs, width, 9);
        c2f(&mut draft.before, "c2f", (width, width), scale.repeats(base));
        if index == 3 {
            // Three poolings of one another and what they pooled, side by side.
            normed_conv(&mut draft.after, "sppf.cv1", width, width / 2, 1);
            normed_conv(&mut draft.after, "sppf.cv2", width / 2 * 4, width, 1);
        }
        inputs = width;
        stacks.push(draft.done());
    }
    let repeats = scale.repeats(3.0);
    let mut neck = |name, halved, down: Option<u64>, sizes: (u64, u64)| {
        let mut draft = stage(cx, name, sizes.1, halved);
        if let Some(width) = down {
            normed_conv(&mut draft.before, "down", width, width, 9);
        }
        c2f(&mut draft.before, "c2f", sizes, repeats);
        stacks.push(draft.done());
    };
    neck("model.12", 4, None, (p5 + p4, p4));
    neck("model.15", 3, None, (p4 + p3, p3));
    neck("model.18", 4, Some(p3), (p3 + p4, p4));
    neck("model.21", 5, Some(p4), (p4 + p5, p5));
    for (halved, width) in [(3, p3), (4, p4), (5, p5)] {
        stacks.push(detect(cx, halved, width, p3, labels));
    }
    Ok(stacks)
}

/// Bins that each side of a box is a distribution over.
const BINS: u64 = 16;

/// What finds boxes and labels at one level.
fn detect(cx: &Context, halved: u32, width: u64, narrowest: u64, labels: u64) -> Stack {
    let mut draft = stage(cx, "model.22", width, halved);
    let parts = &mut draft.after;
    let boxes = (narrowest / 4).max(BINS).max(4 * BINS);
    let classes = narrowest.max(labels.min(100));
    for (name, inner, outputs) in [("cv2", boxes, 4 * BINS), ("cv3", classes, labels)] {
        normed_conv(parts, &format!("{name}.0"), width, inner, 9);
        normed_conv(parts, &format!("{name}.1"), inner, inner, 9);
        parts.conv(format!("{name}.2"), inner, outputs, 1).biased(true);
    }
    if halved == 3 {
        // The weighted sum over the bins: fixed numbers that the library counts as parameters.
        parts.conv("dfl.conv", BINS, 1, 1);
    }
    draft.done()
}
