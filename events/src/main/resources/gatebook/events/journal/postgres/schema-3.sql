ALTER TABLE journal RENAME TO journal_p1;
CREATE TABLE journal (
  position BIGINT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  at TEXT NOT NULL,
  node TEXT NOT NULL,
  tags TEXT NOT NULL,
  payload BYTEA NOT NULL,
  metadata BYTEA NOT NULL,
  leaf BYTEA NOT NULL,
  CONSTRAINT journal_position PRIMARY KEY (position)
) PARTITION BY RANGE (position);
CREATE TABLE journal_archive (
  first BIGINT PRIMARY KEY,
  last BIGINT NOT NULL,
  newest_at TEXT NOT NULL,
  mark BYTEA NOT NULL,
  leaves BYTEA NOT NULL,
  note TEXT NOT NULL
);
ALTER TABLE journal_archive ALTER COLUMN leaves SET STORAGE EXTERNAL
