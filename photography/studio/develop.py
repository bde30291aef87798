"""Denoise, expose, grade and encode one picture: python3 develop.py picture.webp name view passes.npz ...

Runs on Debian's python3 with numpy and Pillow, outside Blender."""
import argparse
import json
import os
import subprocess

import numpy as np
from PIL import Image

from denoise import Denoiser

HERE = os.path.dirname(os.path.abspath(__file__))
WEIGHTS = os.path.join(HERE, '..', 'vendor', 'oidn')
EXPOSURES = os.path.join(HERE, '..', 'cache', 'exposure.json')
PAPER = .912  # sRGB level of the paper in the upper corners, about #e9e7e3: match the page's card background to it
LUMINANCE = np.array([.2126, .7152, .0722], np.float32)
QUALITY = {'room': 86}  # WebP quality; a room must stay below 200 KB
PAPER_SCALE = .25  # of the paper's part, see shoot.py
FEATHER = .025  # width of the seam between product and paper, as a share of the picture's width


def curve(x, shoulder=.72):
    """Photographic response: straight through the mids, soft shoulder to white."""
    d = 1 - shoulder
    x = np.maximum(x, 0)
    return np.where(x > shoulder, shoulder + d * (1 - np.exp(-(x - shoulder) / d)), x)


def grade(linear, contrast=.20, saturation=.90):
    """Linear light to sRGB 0..1."""
    luminance = (linear @ LUMINANCE)[..., None]
    x = np.maximum(luminance + (linear - luminance) * saturation, 0)
    held = np.minimum(x / (luminance + 1e-6) * curve(luminance), 1.2)  # hue held in the highlights
    y = .75 * curve(x) + .25 * held
    s = np.where(y <= .0031308, 12.92 * y, 1.055 * np.power(np.maximum(y, 1e-9), 1 / 2.4) - .055)
    s = np.clip(s, 0, 1)
    # gentle S-curve round mid grey, endpoints fixed
    return np.clip(s + contrast * np.sin(2 * np.pi * (s - .5)) * np.where(s < .5, .16, .09), 0, 1)


def linear_for(level):
    """The linear grey that grade() maps to an sRGB level, by bisection."""
    lo, hi = 0., 4.
    for _ in range(40):
        middle = (lo + hi) / 2
        value = grade(np.full((1, 1, 3), middle, np.float32))[0, 0, 1]
        lo, hi = (middle, hi) if value < level else (lo, middle)
    return (lo + hi) / 2


def paper_light(image, name, is_hero, is_sketch):
    """A hero measures the paper in its upper corners; other views reuse that. A sketch is not remembered."""
    known = {}
    if os.path.exists(EXPOSURES):
        with open(EXPOSURES) as file:
            known = json.load(file)
    if is_hero:
        k = image.shape[1] // 14
        corners = np.concatenate([image[:k, :k].reshape(-1, 3), image[:k, -k:].reshape(-1, 3)])
        known[name] = round(float(np.median(corners, axis=0)[1]), 4)
        if not is_sketch:
            with open(EXPOSURES, 'w') as file:
                json.dump(known, file, indent=1, sort_keys=True)
                file.write('\n')
    return known.get(name) or float(np.median(list(known.values())))


def expose(image, opt):
    if opt.view == 'room':  # median luminance to a fixed level, and a slight correction of the warm bounce
        return image * np.float32(opt.mid / np.median(image @ LUMINANCE)) * np.array((.985, 1., 1.03), np.float32)
    return image * np.float32(linear_for(PAPER) / paper_light(image, opt.name, opt.view == 'hero', opt.sketch))


def clean(passes, view):
    """Denoised light of one rendered part."""
    return Denoiser(WEIGHTS, prefilter=view in ('detail', 'material'))(passes['color'], passes['albedo'], passes['normal'])


def mean_of(paths):
    """Passes of one picture, each with samples of its own: their mean."""
    total = {}
    for path in paths:
        with np.load(path) as passes:
            for name in passes.files:
                total[name] = total.get(name, 0) + passes[name] / len(paths)
    return total


def feather(height, width, margin):
    """1 inside, down to 0 at the border over `margin` pixels."""
    def ramp(n):
        near = np.minimum(np.arange(n), np.arange(n)[::-1]) / margin
        x = np.clip(near, 0, 1)
        return x * x * (3 - 2 * x)
    return np.minimum.outer(ramp(height), ramp(width)).astype(np.float32)[..., None]


def on_paper(product, paper, box):
    """The sharp product in the smooth paper, which was rendered smaller; box: where, as (left, bottom, right, top)."""
    height, width = (round(n / PAPER_SCALE) for n in paper.shape[:2])
    image = np.stack([np.asarray(Image.fromarray(paper[..., c]).resize((width, height), Image.BICUBIC)) for c in range(3)], 2)
    h, w = product.shape[:2]
    x, y = round(box[0] * width), height - round(box[1] * height) - h
    x, y = max(0, min(x, width - w)), max(0, min(y, height - h))
    weight = feather(h, w, width * FEATHER)
    image[y:y + h, x:x + w] += weight * (product - image[y:y + h, x:x + w])
    return image


def light_of(view, paths):
    if view == 'room':
        return clean(mean_of(paths), view)
    with np.load(paths[0]) as passes:
        image = clean(passes, view)
        box = passes['box'] if 'box' in passes.files else None
    if box is None:
        return image
    with np.load(paths[1]) as passes:
        return on_paper(image, clean(passes, view), box)


def encode(picture, target, quality):
    png = target[:-5] + '.png'
    Image.fromarray((np.clip(picture, 0, 1) * 255 + .5).astype(np.uint8)).save(png, compress_level=1)
    subprocess.run(['cwebp', '-quiet', '-q', str(quality), '-m', '6', '-sharp_yuv', png, '-o', target], check=True)
    os.remove(png)


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('target')
    parser.add_argument('name')
    parser.add_argument('view', choices=('hero', 'front', 'detail', 'material', 'room'))
    parser.add_argument('parts', nargs='+')
    parser.add_argument('--mid', type=float, default=.4, help="level of a room's median light")
    parser.add_argument('--sketch', action='store_true', help='remember no exposure')
    return parser.parse_args()


def main(opt):
    picture = grade(expose(light_of(opt.view, opt.parts), opt), saturation=.92 if opt.view == 'room' else .90)
    grain = np.random.default_rng(7).normal(0, .0035, picture.shape[:2])[..., None]  # a whisper; it hides banding
    encode(picture + grain, opt.target, QUALITY.get(opt.view, 90))


if __name__ == '__main__':
    main(options())
