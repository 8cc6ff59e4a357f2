CREATE TABLE journal_kept (LIKE journal INCLUDING ALL);
ALTER TABLE journal_archive ADD COLUMN dropped_from BIGINT;
CREATE INDEX journal_archive_dropped ON journal_archive (first) WHERE dropped_from IS NOT NULL;
CREATE INDEX journal_checkpoint_size ON journal_checkpoint (size)
