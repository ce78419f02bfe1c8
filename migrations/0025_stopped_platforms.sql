-- The user whose status prevents the leg from being sent: its holder or the owner of the platform. The leg is not due
-- until that status changes.
alter table legs add column stopped_by uuid;

-- Worker step "follow user status": the legs to continue when a user may send again.
create index legs_stopped_by on legs (stopped_by, platform_id, id) where stopped_by is not null;

-- Users whose legs and payments have not followed a change of status yet.
create table user_status_changes (
  platform_id uuid not null,
  user_id     uuid not null,
  changed_at  timestamptz not null,
  primary key (platform_id, user_id)
);
