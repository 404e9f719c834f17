// Entry of the thread that scans galleries, so that neither event loop nor inference waits for a large one.
import { DotProducts } from './dot-products';
import { scan } from './scan';
import type { ScanHit, ScanTask } from './scan';

const products = new DotProducts();

export default (task: ScanTask): ScanHit[] => scan(task, products);
