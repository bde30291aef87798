"""All pictures of the demo catalogue on one sheet, then the rooms: python3 contact-sheet.py. Writes contact-sheet.webp."""
import json
import os

from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
DEMO = os.path.join(HERE, '..', 'demo')
HEIGHT, GAP, WIDTH = 120, 4, 1520
LARGEST = 400_000


def read(name):
    with open(os.path.join(DEMO, name)) as file:
        return json.load(file)


def groups():
    """The pictures of one product, or one room: they stay together."""
    for product in read('products.json'):
        yield [os.path.join(DEMO, 'pictures', image['file']) for image in product['images']]
    for room in read('rooms.json'):
        path = os.path.join(DEMO, 'scenes', room['file'])
        if os.path.exists(path):
            yield [path]


def small(path):
    picture = Image.open(path).convert('RGB')
    return picture.resize((round(picture.width * HEIGHT / picture.height), HEIGHT), Image.LANCZOS)


def laid_out():
    """(picture, left, top) of every picture, a wider gap after each group."""
    x = y = GAP
    for group in groups():
        pictures = [small(path) for path in group]
        if x + sum(picture.width + GAP for picture in pictures) > WIDTH:
            x, y = GAP, y + HEIGHT + GAP
        for picture in pictures:
            yield picture, x, y
            x += picture.width + GAP
        x += GAP


def main():
    placed = list(laid_out())
    sheet = Image.new('RGB', (WIDTH, placed[-1][2] + HEIGHT + GAP), '#ffffff')
    for picture, x, y in placed:
        sheet.paste(picture, (x, y))
    target = os.path.join(HERE, 'contact-sheet.webp')
    for quality in (86, 80, 74, 66):
        sheet.save(target, quality=quality, method=6)
        if os.path.getsize(target) <= LARGEST:
            break


main()
