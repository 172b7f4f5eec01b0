// The stable operations. Clients rely on them, so none may change or disappear (`docs/api.md`).

/** One line per operation: who may call it, method, path. */
export const STABLE_ROUTES = `
  public POST   /api/auth/register
  public POST   /api/auth/login
  public POST   /api/auth/refresh
  public POST   /api/auth/dev-login
  login  GET    /api/user/profile
  login  PUT    /api/user/profile
  login  POST   /api/user/password
  login  POST   /api/user/avatar/upload/initiate
  login  POST   /api/user/avatar/upload
  login  POST   /api/user/avatar/upload/complete
  login  GET    /api/user/avatar/content
  public GET    /api/app/android/latest
  public GET    /api/app/android/download
  public GET    /api/app/android/download/{fileName}
  public GET    /
  login  POST   /api/files/upload
  login  POST   /api/files/upload/initiate
  login  POST   /api/files/upload/complete
  login  POST   /api/files/mkdir
  login  GET    /api/files/list
  login  GET    /api/files/recent
  login  GET    /api/files/download/{fileId}
  login  GET    /api/files/download/{fileId}/url
  login  PATCH  /api/files/{fileId}/rename
  login  PATCH  /api/files/{fileId}/move
  login  POST   /api/files/{fileId}/copy
  login  DELETE /api/files/{fileId}
  login  GET    /api/files/recycle-bin
  login  POST   /api/files/recycle-bin/{fileId}/restore
  login  POST   /api/v2/files/upload-sessions
  login  GET    /api/v2/files/search
  login  GET    /api/v2/files/upload-sessions/{sessionId}
  login  DELETE /api/v2/files/upload-sessions/{sessionId}
  login  GET    /api/v2/files/upload-sessions/{sessionId}/prepare
  login  POST   /api/v2/files/upload-sessions/{sessionId}/content
  login  GET    /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}/prepare
  login  PUT    /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}
  login  POST   /api/v2/files/upload-sessions/{sessionId}/complete
  login  GET    /api/v2/files/events
  login  POST   /api/files/{fileId}/share-links
  public GET    /api/files/share-links/{token}
  login  POST   /api/files/share-links/{token}/import
  login  POST   /api/v2/shares
  login  GET    /api/v2/shares/mine
  login  DELETE /api/v2/shares/{id}
  public GET    /api/v2/shares/{token}
  public POST   /api/v2/shares/{token}/verify-password
  login  POST   /api/v2/shares/{token}/import
  public POST   /api/transfer/sessions
  public GET    /api/transfer/sessions/lookup
  public POST   /api/transfer/sessions/{sessionId}/join
  public POST   /api/transfer/sessions/{sessionId}/signals
  public GET    /api/transfer/sessions/{sessionId}/signals
  login  GET    /api/transfer/sessions/offline/mine
  login  POST   /api/transfer/sessions/{sessionId}/files/{fileId}/content
  public GET    /api/transfer/sessions/{sessionId}/files/{fileId}/download
  login  POST   /api/transfer/sessions/{sessionId}/files/{fileId}/import
  login  GET    /api/v2/tasks
  login  GET    /api/v2/tasks/{id}
  login  DELETE /api/v2/tasks/{id}
  login  POST   /api/v2/tasks/{id}/retry
  login  POST   /api/v2/tasks/archive
  login  POST   /api/v2/tasks/extract
  login  POST   /api/v2/tasks/media-metadata
  public GET    /api/v2/site/ping
  admin  GET    /api/admin/summary
  admin  GET    /api/admin/settings
  admin  PATCH  /api/admin/settings/registration/invite-code
  admin  POST   /api/admin/settings/registration/invite-code/rotate
  admin  GET    /api/admin/filesystem
  admin  PATCH  /api/admin/settings/offline-transfer-storage-limit
  admin  GET    /api/admin/users
  admin  PATCH  /api/admin/users/{userId}/role
  admin  PATCH  /api/admin/users/{userId}/status
  admin  PUT    /api/admin/users/{userId}/password
  admin  POST   /api/admin/users/{userId}/password/reset
  admin  PATCH  /api/admin/users/{userId}/storage-quota
  admin  PATCH  /api/admin/users/{userId}/max-upload-size
  admin  GET    /api/admin/files
  admin  DELETE /api/admin/files/{fileId}
  admin  GET    /api/admin/file-blobs
  admin  GET    /api/admin/shares
  admin  DELETE /api/admin/shares/{shareId}
  admin  GET    /api/admin/tasks
  admin  GET    /api/admin/tasks/{taskId}
  admin  GET    /api/admin/audits
  admin  GET    /api/admin/storage-policies
  admin  POST   /api/admin/storage-policies
  admin  PUT    /api/admin/storage-policies/{policyId}
  admin  PATCH  /api/admin/storage-policies/{policyId}/status
  admin  POST   /api/admin/storage-policies/migrations
`;

/** Such as `GET /api/files/download/{fileId}`. */
export const STABLE_OPERATIONS: readonly string[] = STABLE_ROUTES.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/).slice(1).join(' '));
