//! What can be asked of models that make or read images and clips.

use maat_estimate::TextEncoders;
use serde::{Deserialize, Serialize};

#[cfg(feature = "clap")]
use crate::request::named;

/// Images and clips. What is not given is assumed, and listed so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Images, clips"))]
pub struct ItemRequest {
    /// Items that run together on an accelerator [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub batch: Option<u64>,
    /// Pixels of an image or frame, such as 1024 or 544x960 (height x width)
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIDE|HxW"))]
    pub image_size: Option<String>,
    /// Frames of a clip
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub frames: Option<u64>,
    /// Where a diffusion's text encoders are: keep offload cached [default: keep]
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHERE", value_parser = named::<TextEncoders>))]
    pub text_encoders: Option<TextEncoders>,
    /// Decode latents tile by tile
    #[cfg_attr(feature = "clap", arg(long))]
    pub vae_tiling: bool,
}

impl ItemRequest {
    /// Flags that are given.
    pub fn given(&self) -> Vec<&'static str> {
        let all = [
            ("--batch", self.batch.is_some()),
            ("--image-size", self.image_size.is_some()),
            ("--frames", self.frames.is_some()),
            ("--text-encoders", self.text_encoders.is_some()),
            ("--vae-tiling", self.vae_tiling),
        ];
        all.into_iter().filter(|(_, set)| *set).map(|(flag, _)| flag).collect()
    }
}
