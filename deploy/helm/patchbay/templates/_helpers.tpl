{{- define "patchbay.labels" -}}
{{ include "patchbay.selector" . }}
app.kubernetes.io/part-of: patchbay
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "patchbay.selector" -}}
app.kubernetes.io/name: patchbay
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Settings of web processes and workers alike. */}}
{{- define "patchbay.env" -}}
- name: APP_URL
  value: {{ required "appUrl: the address of the platform is required" .Values.appUrl | quote }}
- name: WORKERS
  value: separate
{{- if .Values.agents.enabled }}
- name: ORCHESTRATOR
  value: kubernetes
- name: AGENT_NAMESPACE
  value: {{ .Values.agents.namespace | quote }}
- name: AGENT_INSTALLATION
  value: {{ .Release.Name | quote }}
- name: AGENT_DOMAIN
  value: {{ required "agents.domain: the parent domain of agents is required" .Values.agents.domain | quote }}
- name: AGENT_PLATFORM_URL
  value: http://{{ .Release.Name }}-patchbay.{{ .Release.Namespace }}.svc:3000
- name: AGENT_PLATFORM_NAMESPACE
  value: {{ .Release.Namespace | quote }}
- name: AGENT_INGRESS_CLASS
  value: {{ .Values.agents.ingressClass | quote }}
- name: AGENT_INGRESS_NAMESPACE
  value: {{ .Values.agents.ingressNamespace | quote }}
- name: AGENT_CERT_ISSUER
  value: {{ .Values.agents.certIssuer | quote }}
- name: AGENT_IMAGES
  value: {{ .Values.agents.images | quote }}
- name: AGENT_MAX_CPU
  value: {{ .Values.agents.maxCpu | quote }}
- name: AGENT_MAX_MEMORY
  value: {{ .Values.agents.maxMemory | quote }}
- name: AGENT_EGRESS
  value: {{ .Values.agents.egress | quote }}
{{- else }}
- name: ORCHESTRATOR
  value: "off"
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* Of the pod: the restricted standard, and an account with a token only where agents need it. */}}
{{- define "patchbay.pod" -}}
serviceAccountName: {{ .Release.Name }}-patchbay
automountServiceAccountToken: {{ .Values.agents.enabled }}
enableServiceLinks: false
terminationGracePeriodSeconds: 45
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {}
  - name: data
    emptyDir: {}
{{- end }}

{{/* Of the container. */}}
{{- define "patchbay.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - secretRef:
      name: {{ required "existingSecret: the Secret with DATABASE_URL, CRON_SECRET and ENCRYPTION_KEYS is required" .Values.existingSecret }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: data
    mountPath: /data
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 5
  timeoutSeconds: 3
{{- end }}
