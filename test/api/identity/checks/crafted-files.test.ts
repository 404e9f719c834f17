import sharp from 'sharp';
import { call } from '../../../support/client';
import { createPicturePdf, insertJpegSegment, JPEG_SEGMENT } from '../../../support/identity/crafted-files';
import {
  createFacelessImage,
  createSession,
  getSession,
  postDocument,
  postFaceMatch,
  postLiveness,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';

let key: string;
beforeAll(async () => {
  key = (await createIdentityTenant('Crafted files')).identityKey;
});
afterAll(closeTestPlatform);

const toFile = (body: Buffer) => ({ body, name: 'upload.jpg', type: 'image/jpeg' });

describe('a JPEG that carries a PDF with another picture', () => {
  const craft = async (): Promise<Buffer> =>
    insertJpegSegment(
      await createFacelessImage(),
      JPEG_SEGMENT.comment,
      createPicturePdf(
        await sharp(await createFacelessImage())
          .resize(300)
          .jpeg()
          .toBuffer(),
        300,
        300,
      ),
    );

  test('is refused as a selfie and as either image of a face match', async () => {
    const crafted = toFile(await craft());
    const selfie = toFile(await createFacelessImage());
    const responses = await Promise.all([
      postLiveness(key, { image: crafted }),
      postFaceMatch(key, { userImage: crafted, refImage: selfie }),
      postFaceMatch(key, { userImage: selfie, refImage: crafted }),
    ]);
    expect(responses.map(({ status, body }) => [status, (body['error'] as { code: string }).code])).toEqual(
      Array.from({ length: 3 }, () => [400, 'image_contains_other_data']),
    );
  });

  test('a PDF itself is refused as a selfie', async () => {
    const picture = await sharp(await createFacelessImage())
      .resize(300)
      .jpeg()
      .toBuffer();
    const { status, body } = await postLiveness(key, { image: toFile(createPicturePdf(picture, 300, 300)) });
    expect([status, (body['error'] as { code: string }).code]).toEqual([415, 'unsupported_media_type']);
  });
});

test('a session whose workflow refuses PDFs accepts a document as a photograph only', async () => {
  const picture = toFile(await createFacelessImage());
  const pdf = toFile(createPicturePdf(picture.body, 400, 300));
  const created = await call('POST', '/v1/sessions/workflows', {
    key,
    json: { name: 'Photographs', features: ['id'], acceptPdfDocuments: false },
  });
  const { workflow } = created.body as { workflow: { id: string; acceptPdfDocuments: boolean } };
  expect([created.status, workflow.acceptPdfDocuments]).toEqual([201, false]);
  const { id: sessionId } = await createSession(key, { workflowId: workflow.id });
  const refused = await postDocument(key, { sessionId, frontImage: picture, backImage: pdf });
  expect([refused.status, refused.body]).toMatchObject([
    415,
    { error: { code: 'unsupported_media_type', details: { fields: [{ field: 'backImage' }] } } },
  ]);
  expect((await getSession(key, sessionId)).evidence).toEqual([]);
  expect((await postDocument(key, { sessionId, frontImage: picture })).status).toBe(201);
});
