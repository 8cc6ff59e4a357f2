CREATE TABLE content_key_store (
  one INT PRIMARY KEY CHECK (one = 1),
  store UUID NOT NULL,
  generation BIGINT NOT NULL,
  fingerprint TEXT NOT NULL,
  wrapped BYTEA NOT NULL,
  erased_up_to BIGINT NOT NULL,
  journal TEXT,
  rotated_from TEXT,
  rotated_at BIGINT,
  rotated_by TEXT
);
CREATE TABLE content_key (
  id TEXT PRIMARY KEY,
  of_node BOOLEAN NOT NULL,
  principal BYTEA NOT NULL,
  day DATE NOT NULL,
  made_at BIGINT NOT NULL,
  wrapped BYTEA NOT NULL,
  is_current BOOLEAN NOT NULL
);
CREATE UNIQUE INDEX content_key_owner ON content_key (day, of_node, principal) WHERE is_current;
CREATE TABLE content_key_erased (
  id TEXT PRIMARY KEY
);
