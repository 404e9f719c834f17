{{- define "vouch.name" -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{- end }}

{{- define "vouch.labels" -}}
app.kubernetes.io/name: vouch
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "vouch.metadata" -}}
name: {{ include "vouch.name" .root }}-{{ .component }}
labels:
  {{- include "vouch.labels" . | nindent 2 }}
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .root.Release.Service }}
  helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "vouch.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{/* Secrets of a component as files: key of the Secret and file name. Optional ones are mounted where the values name them. */}}
{{- define "vouch.secretVolume" -}}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      - secret:
          name: {{ .root.Values.secrets.mongoSecret }}
          items: [{ key: {{ .component }}, path: mongo_password }]
      - secret:
          name: {{ .root.Values.secrets.existingSecret }}
          items:
            - { key: master_key, path: master_key }
            - { key: s3_secret_key, path: s3_secret_key }
            {{- if has .component (list "api" "admin") }}
            - { key: jwt_secret, path: jwt_secret }
            {{- end }}
            {{- range .optional }}{{ if has . $.root.Values.secrets.optional }}
            - { key: {{ . }}, path: {{ . }} }
            {{- end }}{{ end }}
{{- end }}

{{/* Environment of a component. Values of the component precede those of all. */}}
{{- define "vouch.environment" -}}
{{- $mongo := .root.Values.mongo -}}
{{- $fixed := dict
  "NODE_ENV" "production"
  "PUBLIC_URL" (required "publicUrl: required; the public address of the API, such as https://vouch.example.com" .root.Values.publicUrl)
  "MONGO_URL" (printf "mongodb://vouch-%s@%s/%s?%s" .component (join "," $mongo.hosts) $mongo.database $mongo.options)
  "MONGO_PASSWORD_FILE" "/run/secrets/mongo_password"
  "TEMPORAL_ADDRESS" .root.Values.temporal.address
  "TEMPORAL_NAMESPACE" .root.Values.temporal.namespace
  "S3_ENDPOINT" .root.Values.s3.endpoint
  "S3_ACCESS_KEY" .root.Values.s3.accessKey
  "S3_SECRET_KEY_FILE" "/run/secrets/s3_secret_key"
  "MASTER_KEY_FILE" "/run/secrets/master_key"
  "MODELS_DIR" "/app/models"
  "CHROMIUM_PATH" "/usr/bin/chromium"
  "HOST" "0.0.0.0"
  "HOME" "/tmp" -}}
{{- range .optional }}{{ if has . $.root.Values.secrets.optional }}{{ $_ := set $fixed (printf "%s_FILE" (upper .)) (printf "/run/secrets/%s" .) }}{{ end }}{{ end -}}
{{- $settings := merge (deepCopy .own) (deepCopy .settings) $fixed (deepCopy .root.Values.settings) -}}
{{- range $name, $value := $settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end }}

{{- define "vouch.podSecurity" -}}
{{- if .changeUser }}
runAsUser: 0
runAsGroup: 0
{{- else }}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 10001
{{- end }}
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "vouch.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
  {{- if .changeUser }}
  add: [SETUID, SETGID, KILL]
  {{- end }}
{{- end }}

{{- define "vouch.probes" -}}
{{- /* A process that waits for a migration or a store is alive, and not ready. */}}
startupProbe:
  httpGet: { path: /healthz, port: {{ .port }} }
  periodSeconds: 3
  failureThreshold: 60
readinessProbe:
  httpGet: { path: /readyz, port: {{ .port }} }
  periodSeconds: 10
  timeoutSeconds: 10
livenessProbe:
  httpGet: { path: /healthz, port: {{ .port }} }
  periodSeconds: 15
  timeoutSeconds: 5
  failureThreshold: 4
{{- end }}

{{- define "vouch.placement" -}}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "vouch.labels" . | nindent 8 }}
{{- end }}
