import './check';
import './erasure';
import './session';
