import './check';
import './erasure';
import './session';
import './register-company';
import './register-import';
import './register-person';
