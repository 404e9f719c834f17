import './check';
import './session';
