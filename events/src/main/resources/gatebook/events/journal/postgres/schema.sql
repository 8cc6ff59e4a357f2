CREATE TABLE journal (
  position BIGINT PRIMARY KEY,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  at TEXT NOT NULL,
  node TEXT NOT NULL,
  tags TEXT NOT NULL,
  payload BYTEA NOT NULL,
  metadata BYTEA NOT NULL,
  leaf BYTEA NOT NULL
);
CREATE TABLE journal_tag (
  tag TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  last BIGINT NOT NULL,
  PRIMARY KEY (tag, position)
);
CREATE TABLE journal_edge (
  one INT PRIMARY KEY CHECK (one = 1),
  size BIGINT NOT NULL,
  hashes BYTEA NOT NULL
);
CREATE TABLE journal_checkpoint (
  number BIGINT PRIMARY KEY,
  size BIGINT NOT NULL,
  note TEXT NOT NULL,
  hashes BYTEA NOT NULL
);
INSERT INTO journal_edge (one, size, hashes) VALUES (1, 0, '');
