update orders set shipping_label = 'Express delivery' where shipping_method = 'express';
