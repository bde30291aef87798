"""Take rendered pictures that were looked at into ../demo: python3 accept.py [--from renders] name.webp ...

A room goes to ../demo/scenes, all else to ../demo/pictures; a packshot brings the points at which it shows its colour into ../demo/swatches.json.
Afterwards list new pictures in ../demo/products.json and run `npx tsx ../demo/check.mjs`."""
import argparse
import json
import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
DEMO = os.path.join(HERE, '..', 'demo')
SWATCHES = os.path.join(DEMO, 'swatches.json')


def folder_of(name, products):
    is_product = name.startswith('material-') or any(name.startswith(product['slug']) for product in products)
    return os.path.join(DEMO, 'pictures' if is_product else 'scenes')


def note_points(source, name):
    """The swatch points that lie beside a packshot."""
    points = os.path.join(source, name[:-5] + '.json')
    if not os.path.exists(points):
        return
    known = {}
    if os.path.exists(SWATCHES):
        with open(SWATCHES) as file:
            known = json.load(file)
    with open(points) as file:
        known[name] = json.load(file)
    lines = [f'  {json.dumps(file)}: {json.dumps(at, separators=(",", ":"))}' for file, at in sorted(known.items())]
    with open(SWATCHES, 'w') as file:
        file.write('{\n' + ',\n'.join(lines) + '\n}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('names', nargs='+', metavar='name.webp')
    parser.add_argument('--from', dest='source', default=os.path.join(HERE, 'renders'), help='the folder of renders')
    opt = parser.parse_args()
    with open(os.path.join(DEMO, 'products.json')) as file:
        products = json.load(file)
    for name in opt.names:
        shutil.copyfile(os.path.join(opt.source, name), os.path.join(folder_of(name, products), name))
        note_points(opt.source, name)


main()
