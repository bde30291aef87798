"""From a product of the studio to a GLB: fewer faces, one atlas, baked maps, one file."""
