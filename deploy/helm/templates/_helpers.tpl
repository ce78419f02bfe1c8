{{- define "remit.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "remit.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "remit.labels" -}}
{{ include "remit.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "remit.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{- define "remit.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "remit.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
privileged: false
capabilities:
  drop: [ALL]
{{- end }}

{{/* Settings that serve, worker and the migration share. */}}
{{- define "remit.env" -}}
{{- $prefix := printf "REMIT_%s" (upper .Values.environment) }}
- name: REMIT_ENVIRONMENTS
  value: {{ .Values.environment }}
{{- with .Values.baseUrl }}
- name: {{ $prefix }}_BASE_URL
  value: {{ . | quote }}
{{- end }}
{{- if .Values.connections.existingSecret }}
- name: {{ $prefix }}_CONNECTIONS
  value: /etc/remit/connections.json
{{- end }}
- name: DATABASE_URL_FILE
  value: /run/secrets/remit/database-url
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{/* Settings of the processes that serve and work. */}}
{{- define "remit.serviceEnv" -}}
{{ include "remit.env" . }}
- name: REMIT_MASTER_KEYS_FILE
  value: /run/secrets/remit/master-keys
- name: REMIT_METRICS_PORT
  value: "9464"
- name: REMIT_METRICS_HOST
  value: 0.0.0.0
{{- if .Values.mail.enabled }}
- name: SMTP_URL_FILE
  value: /run/secrets/remit/smtp-url
- name: REMIT_MAIL_FROM
  value: {{ .Values.mail.from | quote }}
{{- end }}
{{- end }}

{{- define "remit.volumeMounts" -}}
- name: secrets
  mountPath: /run/secrets/remit
  readOnly: true
- name: temporary
  mountPath: /tmp
- name: data
  mountPath: /var/lib/remit
{{- if .Values.connections.existingSecret }}
- name: connections
  mountPath: /etc/remit
  readOnly: true
{{- end }}
{{- end }}

{{/* The group may read secrets, and nobody else. */}}
{{- define "remit.volumes" -}}
- name: temporary
  emptyDir: {}
{{- if .Values.connections.existingSecret }}
- name: connections
  secret:
    secretName: {{ .Values.connections.existingSecret }}
    defaultMode: 0440
{{- end }}
{{- end }}

{{- define "remit.serviceSecrets" -}}
- name: secrets
  secret:
    secretName: {{ .Values.secrets.existingSecret }}
    defaultMode: 0440
    items:
      - { key: database-url, path: database-url }
      - { key: master-keys, path: master-keys }
      {{- if .Values.mail.enabled }}
      - { key: smtp-url, path: smtp-url }
      {{- end }}
{{- end }}

{{- define "remit.scheduling" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}
