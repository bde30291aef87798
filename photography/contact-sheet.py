"""All pictures of the demo catalogue on one sheet: python3 contact-sheet.py. Writes contact-sheet.webp."""
import json
import os

from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
DEMO = os.path.join(HERE, '..', 'demo')
WIDTH, GAP, PRODUCTS_A_ROW = 96, 4, 5
LARGEST = 400_000


def main():
    with open(os.path.join(DEMO, 'products.json')) as file:
        products = json.load(file)
    height = WIDTH * 5 // 4
    groups = 3 * (WIDTH + GAP) + GAP  # three views of a product, then a wider gap
    rows = -(-len(products) // PRODUCTS_A_ROW)
    sheet = Image.new('RGB', (PRODUCTS_A_ROW * groups, rows * (height + GAP) + GAP), '#ffffff')
    for i, product in enumerate(products):
        for k, name in enumerate(product['images']):
            picture = Image.open(os.path.join(DEMO, 'pictures', name)).convert('RGB')
            row, column = divmod(i, PRODUCTS_A_ROW)
            at = column * groups + GAP + k * (WIDTH + GAP), row * (height + GAP) + GAP
            sheet.paste(picture.resize((WIDTH, height), Image.LANCZOS), at)
    target = os.path.join(HERE, 'contact-sheet.webp')
    for quality in (86, 80, 74, 66):
        sheet.save(target, quality=quality, method=6)
        if os.path.getsize(target) <= LARGEST:
            break


main()
