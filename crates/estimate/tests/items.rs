//! Operations of images against figures that were published.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use maat_estimate::{ItemFlops, ItemWork, Rules, TextEncoders, item_flops};
use maat_model::{Options, open};

fn of(name: &str, side: f64, words: f64) -> ItemFlops {
    let work = ItemWork {
        batch: 1.0,
        height: side,
        width: side,
        frames: 1.0,
        steps: 1.0,
        guides: 1.0,
        words,
        text: TextEncoders::Keep,
        tiling: false,
    };
    item_flops(&open(name, &Options::default()).unwrap(), &work, &Rules::built_in().unwrap().efficiencies)
}

/// Multiply-adds of one image as the papers and libraries state them: ResNet-50 4.1 (arXiv 1512.03385 counts 3.8, with
/// the stride in another layer; torchvision 4.09), ResNet-18 1.8, ViT-B/16 17.6 (torchvision 17.56), ConvNeXt-T 4.5 (arXiv
/// 2201.03545), all at 224 x 224 pixels; YOLOv8n 8.7 billion operations at 640 (Ultralytics).
#[test]
fn vision() {
    for (name, side, macs, within) in [
        ("resnet50", 224.0, 4.09e9, 0.06),
        ("resnet18", 224.0, 1.81e9, 0.06),
        ("vit-base-patch16-224", 224.0, 17.56e9, 0.03),
        ("yolov8n", 640.0, 4.35e9, 0.10),
    ] {
        let got = of(name, side, 77.0).run / 2.0;
        assert!((got / macs - 1.0).abs() < within, "{name}: {got:e}, published {macs:e}");
    }
}

/// Stable Diffusion v1 at 512 x 512: 339 billion multiply-adds a run of the denoiser and 1,240 billion of the decoder
/// (BK-SDM, arXiv 2305.15798, table 1), whose counter leaves out scores and weighted values: 2 n^2 c in each of five
/// blocks at 4,096 positions of 320 and 1,024 of 640 channels, 60 billion more. SDXL at 1024 x 1024: 2.98
/// million million by such a counter, and scores of ten blocks at 4,096 positions of 640 and sixty at 1,024 of 1,280.
#[test]
fn diffusion() {
    let small = of("stable-diffusion-v1-5", 512.0, 77.0);
    let near = |got: f64, right: f64, within: f64| {
        assert!((got / 2.0 / right - 1.0).abs() < within, "{:e}, published {right:e}", got / 2.0);
    };
    near(small.run, 339e9 + 10.0 * (4096f64.powi(2) * 320.0 + 1024f64.powi(2) * 640.0), 0.06);
    near(small.decode, 1240e9, 0.15);
    let scores = 2.0 * (10.0 * 4096f64.powi(2) * 640.0 + 60.0 * 1024f64.powi(2) * 1280.0);
    near(of("sdxl", 1024.0, 77.0).run, 2.98e12 + scores, 0.05);
}
