-- For the removal after the retention: each notification is an entry of one of the two.
CREATE INDEX "notifications_read_age_idx" ON "notifications"("created_at") WHERE read_at IS NOT NULL;
CREATE INDEX "notifications_unread_age_idx" ON "notifications"("created_at") WHERE read_at IS NULL;
