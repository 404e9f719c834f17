import './check';
import './erasure';
import './evidence-rendition';
import './register-company';
import './register-import';
import './register-person';
import './session';
import './session-template';
