import type { RiskCode } from '../../../domain/identity/checks/risks';

/** What raises each risk. Source, severity, action and whether a retry may help are in the catalogue itself. */
export const RISK_CONDITIONS: Readonly<Record<RiskCode, string>> = {
  document_expired:
    'The last day of validity was over in every time zone at the time of the check. A printed date that was hardly legible and that no zone or barcode confirms calls a reviewer. A date in the year 9999 is that of a document without expiry, such as the Spanish identity card of holders of 70 and over.',
  document_not_recognised:
    'No machine-readable zone, no barcode of a licence, no title of an identity document, and no portrait next to the captions of one; or the card of a library, school, club or employer.',
  document_not_accepted: "Type and state are not among the session's `acceptedDocuments`.",
  portrait_not_found: 'No face was found on either side.',
  mrz_not_found: 'No machine-readable zone was found, and no barcode replaces it.',
  print_unverified:
    'A driving licence of a state whose licences have neither a machine-readable zone nor a barcode with the data of the holder.',
  mrz_check_failed: 'A check digit of the machine-readable zone is wrong.',
  mrz_visual_mismatch:
    'The printed text differs from the machine-readable zone, if only in one character of a number or name (`details.fields`), or legible print does not show number, name or date of birth (`details.notPrinted`).',
  barcode_not_found:
    'The text names a licence or card of the United States or Canada, and no barcode is on the sides that were sent.',
  barcode_check_failed: 'The barcode cannot be decoded, is of another kind, or lacks or misstates a mandatory element.',
  barcode_visual_mismatch:
    'The printed text or a machine-readable zone differs from the barcode, if only in one character of a number or name (`details.fields`), or the front does not show number, name or date of birth (`details.notPrinted`).',
  name_not_found: 'No name in machine-readable zone, barcode or text.',
  date_of_birth_not_found: 'No date of birth in machine-readable zone, barcode or text.',
  document_number_not_found: 'No number in machine-readable zone, barcode or text.',
  expiry_not_found: 'No date of expiry in machine-readable zone, barcode or text.',
  invalid_date:
    'A date does not exist in the calendar; the date of issue is in the future in every time zone, or before the date of birth; the document expired before it was issued.',
  issue_after_expiry: 'The date of issue is after the date of expiry.',
  wrong_side:
    'The only image has the machine-readable zone of a card or a barcode and no portrait; or the front was sent twice.',
  two_documents:
    'Two valid machine-readable zones with different numbers, portraits of two people, or sides that contradict each other, also within one photograph.',
  image_blurred: 'Text, or an image without text, is not sharp (`quality.sharpness` below 12).',
  image_glare:
    'One overexposed area covers more than 6 % of the document. Captured again (`recapture`) if it was not read completely.',
  image_dark: 'The mean luminance is below 45 of 255. Captured again (`recapture`) if it was not read completely.',
  image_too_small: 'Capitals of the smallest text that was used are below 7 pixels.',
  document_cut_off: 'The machine-readable zone, the portrait or three lines of text touch the border of the image.',
  screen_capture_suspected:
    'The pixel grid of a display or its moiré; a file marked as a screenshot; a PNG of the size of a telephone display ([copies](../explanation/vision.md#copies)).',
  printed_copy_suspected:
    "The dots of a printer's screen; no colour other than that of the light ([copies](../explanation/vision.md#copies)).",
  duplicate_document:
    'The same document under another `externalId`, or with another date of birth. Licences with one number of two states or provinces that their barcodes name are two documents.',
  document_in_blocklist: 'Number and state of the document are on the blocklist.',
  expected_name_mismatch: 'A name differs from `expected`, or could not be read.',
  expected_date_of_birth_mismatch: 'The date of birth differs from `expected`, or could not be read.',
  expected_country_mismatch: 'Issuing state or nationality differs from `expected`, or could not be read.',
  expected_document_number_mismatch: 'The document number differs from `expected`, or could not be read.',
  minimum_age_not_met:
    'The age according to the document, or estimated from a face, is below the minimum of the session or the check.',
  poa_too_old: 'The document was written more than 90 days before the check.',
  poa_date_in_future: 'The document is dated after the day of the check in every time zone.',
  poa_issuer_not_found: 'No sender was found.',
  poa_name_not_found: 'No name of a person above the address, and none under a caption.',
  poa_script_not_supported:
    'Most letters are of a script other than Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari and Thai; or the text is sharp, but neither its language nor an address could be read.',
  poa_name_mismatch: 'The recipient is not the person on the identity document, or else not the expected person.',
  poa_address_mismatch: 'The address differs from `expected.address`.',
  poa_address_not_found: 'No address with a postal code other than that of the sender.',
  poa_poor_quality: 'Little text or text that is hardly legible (captured again, `recapture`), or no date (declined).',
  liveness_low:
    'The score is below 70, or below 30 for a capture of poor quality; or the actions of a challenge were not performed.',
  attack_suspected: 'The score is below 30; or the frames show different people.',
  no_face: 'No face was found.',
  multiple_faces: 'A second face is nearly as large as the first.',
  face_too_small: 'The distance between the eyes is too small.',
  face_low_quality:
    'The face is blurred, dark or turned away; its eyes are closed; a mask, dark glasses or something else covers it (`quality.covered`).',
  same_capture:
    'The selfie and the portrait of the document, or a selfie or face of the organisation from before, are the same picture, also if scaled, cropped, compressed again, mirrored or photographed from a print or display ([same picture](../explanation/vision.md#same-picture)). Under the same `externalId` as the earlier evidence its action is `ignore`.',
  face_in_blocklist: 'The face was found on the blocklist.',
  duplicate_face: 'The face was found among the users under another `externalId`.',
  face_mismatch: 'The similarity is below the threshold.',
  no_face_in_user_image: 'No face in `userImage`.',
  no_face_in_ref_image: 'No face in `refImage`.',
  aml_match: 'The best hit reaches the score that declines, or the score of a match.',
  aml_possible_match: 'The best hit reaches the score of review.',
  aml_list_stale: 'A list that was searched is older than `AML_STALE_AFTER_HOURS`.',
  database_no_match: 'The details disagree with the register or the national number.',
  database_partial_match: 'Some of the details agree.',
  database_not_available: 'No provider covers the country.',
  kyb_not_active: 'The register states another status than active.',
  kyb_lei_lapsed: 'The registration of the LEI was not renewed.',
  kyb_name_mismatch: 'The registered name differs.',
  kyb_country_mismatch: 'The registered country differs.',
  kyb_identifier_mismatch: 'A number that was sent belongs to another company or is not known.',
  kyb_registry_unavailable: 'A register could not be queried.',
  attempts_exhausted: 'A step has no attempts left.',
  processing_failed: 'The engine gave up, or the file cannot be opened.',
};
