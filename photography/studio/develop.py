"""Denoise, expose, grade and encode one picture: python3 develop.py passes.npz picture.webp name view [--sketch]

Runs on Debian's python3 with numpy and Pillow, outside Blender."""
import json
import os
import subprocess
import sys

import numpy as np
from PIL import Image

from denoise import Denoiser

HERE = os.path.dirname(os.path.abspath(__file__))
WEIGHTS = os.path.join(HERE, '..', 'vendor', 'oidn')
EXPOSURES = os.path.join(HERE, '..', 'cache', 'exposure.json')
PAPER = .912  # sRGB level of the paper in the upper corners, about #e9e7e3: match the page's card background to it
LUMINANCE = np.array([.2126, .7152, .0722], np.float32)
QUALITY = {'room': 86}  # WebP quality; a room must stay below 200 KB


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


def expose(image, name, view, is_sketch):
    if view == 'room':  # median luminance to a fixed level, and a slight correction of the warm bounce
        return image * np.float32(.40 / np.median(image @ LUMINANCE)) * np.array((.985, 1., 1.03), np.float32)
    return image * np.float32(linear_for(PAPER) / paper_light(image, name, view == 'hero', is_sketch))


def main(source, target, name, view, mode=''):
    with np.load(source) as passes:
        image = Denoiser(WEIGHTS, prefilter=view == 'detail')(passes['color'], passes['albedo'], passes['normal'])
    picture = grade(expose(image, name, view, mode == '--sketch'), saturation=.92 if view == 'room' else .90)
    grain = np.random.default_rng(7).normal(0, .0035, picture.shape[:2])[..., None]  # a whisper; it hides banding
    png = target[:-5] + '.png'
    Image.fromarray((np.clip(picture + grain, 0, 1) * 255 + .5).astype(np.uint8)).save(png)
    quality = str(QUALITY.get(view, 92))
    subprocess.run(['cwebp', '-quiet', '-q', quality, '-m', '6', '-sharp_yuv', png, '-o', target], check=True)
    os.remove(png)


if __name__ == '__main__':
    main(*sys.argv[1:])
