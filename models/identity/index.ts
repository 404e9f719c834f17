import './check';
import './erasure';
import './evidence-rendition';
import './session';
import './register-company';
import './register-import';
import './register-person';
