// Entry point of the thread that scans galleries, so that a large scan blocks neither the event loop nor inference.
import { DotProducts } from './dot-products';
import { scan } from './scan';
import type { ScanHit, ScanTask } from './scan';

const products = new DotProducts();

export default (task: ScanTask): ScanHit[] => scan(task, products);
