BEGIN TRANSACTION;
CREATE TABLE actions (
	action_id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	timestamp FLOAT NOT NULL, 
	run_id TEXT, 
	session_id TEXT, 
	account_id TEXT NOT NULL, 
	message_id TEXT NOT NULL, 
	action_type TEXT NOT NULL, 
	action_payload TEXT NOT NULL, 
	reversal_payload TEXT, 
	state TEXT NOT NULL, 
	settled_at FLOAT, 
	reversed_at FLOAT, 
	autonomy_level TEXT, 
	cohort TEXT, 
	why TEXT NOT NULL, 
	user_confirmed BOOLEAN NOT NULL, 
	error TEXT, 
	PRIMARY KEY (action_id), 
	UNIQUE (seq)
);
INSERT INTO "actions" VALUES('00000000-0000-4000-8000-000000000000',1,1790000000.0,'r1',NULL,'ann@example.com','m0','archive','{"remove":["INBOX"]}','{"add":["INBOX"]}','applied',1790000000.0,NULL,NULL,NULL,'a newsletter',0,NULL);
INSERT INTO "actions" VALUES('00000000-0000-4000-8000-000000000001',2,1790000000.0,'r1',NULL,'ann@example.com','m1','archive','{"remove":["INBOX"]}','{"add":["INBOX"]}','planned',NULL,NULL,NULL,NULL,'a newsletter',0,NULL);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0015');
CREATE TABLE automation_keys (
	trigger_id TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	account_id TEXT NOT NULL, 
	run_id TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (trigger_id, "key")
);
CREATE TABLE automation_runs (
	run_id TEXT NOT NULL, 
	automation_id TEXT NOT NULL, 
	account_id TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	trigger_id TEXT, 
	trigger_type TEXT NOT NULL, 
	status TEXT NOT NULL, 
	place TEXT NOT NULL, 
	created_by TEXT NOT NULL, 
	definition TEXT NOT NULL, 
	flows TEXT NOT NULL, 
	trigger_payload TEXT NOT NULL, 
	inputs TEXT NOT NULL, 
	tainted TEXT NOT NULL, 
	output TEXT NOT NULL, 
	error TEXT NOT NULL, 
	failed_step_id TEXT, 
	calls INTEGER NOT NULL, 
	tokens INTEGER NOT NULL, 
	usd FLOAT NOT NULL, 
	chain TEXT NOT NULL, 
	turn INTEGER NOT NULL, 
	created_at FLOAT NOT NULL, 
	started_at FLOAT, 
	resumed_at FLOAT, 
	finished_at FLOAT, 
	PRIMARY KEY (run_id)
);
CREATE TABLE automation_steps (
	run_id TEXT NOT NULL, 
	step_id TEXT NOT NULL, 
	account_id TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	state TEXT NOT NULL, 
	attempts INTEGER NOT NULL, 
	config TEXT NOT NULL, 
	output TEXT NOT NULL, 
	error TEXT NOT NULL, 
	confirmation_id TEXT, 
	started_at FLOAT NOT NULL, 
	finished_at FLOAT, 
	PRIMARY KEY (run_id, step_id)
);
CREATE TABLE automation_triggers (
	trigger_id TEXT NOT NULL, 
	automation_id TEXT NOT NULL, 
	account_id TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	type TEXT NOT NULL, 
	config TEXT NOT NULL, 
	enabled BOOLEAN NOT NULL, 
	secret_hash TEXT, 
	last_fired_at FLOAT, 
	cursor INTEGER NOT NULL, 
	PRIMARY KEY (trigger_id)
);
CREATE TABLE automation_versions (
	automation_id TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	account_id TEXT NOT NULL, 
	definition TEXT NOT NULL, 
	flows TEXT NOT NULL, 
	saved_by TEXT NOT NULL, 
	saved_at FLOAT NOT NULL, 
	PRIMARY KEY (automation_id, version)
);
CREATE TABLE automations (
	automation_id TEXT NOT NULL, 
	account_id TEXT NOT NULL, 
	place TEXT NOT NULL, 
	created_by TEXT NOT NULL, 
	name TEXT NOT NULL, 
	description TEXT NOT NULL, 
	status TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	created_at FLOAT NOT NULL, 
	updated_at FLOAT NOT NULL, 
	PRIMARY KEY (automation_id)
);
CREATE TABLE checkpoints (
	seq INTEGER NOT NULL, 
	hash TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	pruned BIGINT NOT NULL, 
	previous TEXT NOT NULL, 
	seal TEXT NOT NULL, 
	PRIMARY KEY (seq)
);
CREATE TABLE confirmations (
	confirmation_id TEXT NOT NULL, 
	created_at FLOAT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	fingerprint TEXT NOT NULL, 
	account_id TEXT NOT NULL, 
	tool TEXT NOT NULL, 
	arguments TEXT NOT NULL, 
	shown TEXT NOT NULL, 
	state TEXT NOT NULL, 
	run_id TEXT, 
	session_id TEXT, 
	answered_at FLOAT, 
	answered_by TEXT, 
	used_at FLOAT, 
	origin TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (confirmation_id)
);
INSERT INTO "confirmations" VALUES('c0',1790000000.0,1800000000.0,'f','ann@example.com','send_email','{}','{}','open',NULL,NULL,NULL,NULL,NULL,'{"interface": "mcp", "name": "", "principal": "mcp_client"}');
CREATE TABLE control_actors (
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE control_agent_endpoints (
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	agent_id TEXT, 
	PRIMARY KEY (id)
);
CREATE TABLE control_agents (
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE control_bindings (
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	conversation_id TEXT, 
	PRIMARY KEY (id)
);
CREATE TABLE control_collaboration (
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	conversation_id TEXT, 
	PRIMARY KEY (id)
);
CREATE TABLE control_collaboration_events (
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	record_id TEXT, 
	PRIMARY KEY (id)
);
CREATE TABLE control_conversation_members (
	conversation_id TEXT NOT NULL, 
	actor_id TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	PRIMARY KEY (conversation_id, actor_id)
);
CREATE TABLE control_conversations (
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE control_flights (
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	requester_id TEXT, 
	state TEXT, 
	PRIMARY KEY (id)
);
CREATE TABLE control_grants (
	agent_id TEXT NOT NULL, 
	key_id TEXT NOT NULL, 
	key_digest TEXT NOT NULL, 
	actions TEXT NOT NULL, 
	account TEXT NOT NULL, 
	granted_by TEXT NOT NULL, 
	granted_at FLOAT NOT NULL, 
	PRIMARY KEY (agent_id)
);
CREATE TABLE control_invocations (
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	requester_id TEXT, 
	PRIMARY KEY (id)
);
CREATE TABLE control_kept (
	kind TEXT NOT NULL, 
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	PRIMARY KEY (kind, id)
);
CREATE TABLE control_message_attachments (
	message_id TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	PRIMARY KEY (message_id, position)
);
CREATE TABLE control_message_mentions (
	message_id TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	actor_id TEXT NOT NULL, 
	label TEXT, 
	PRIMARY KEY (message_id, position)
);
CREATE TABLE control_messages (
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	conversation_id TEXT, 
	PRIMARY KEY (id)
);
CREATE TABLE control_nodes (
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE control_outputs (
	flight_id TEXT NOT NULL, 
	output TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (flight_id)
);
CREATE TABLE corrections (
	id INTEGER NOT NULL, 
	timestamp FLOAT NOT NULL, 
	account_id TEXT NOT NULL, 
	message_id TEXT NOT NULL, 
	original_bucket TEXT, 
	original_category TEXT, 
	original_speech_act TEXT, 
	original_score FLOAT, 
	corrected_bucket TEXT, 
	corrected_category TEXT, 
	corrected_speech_act TEXT, 
	corrected_score FLOAT, 
	sender TEXT NOT NULL, 
	features TEXT NOT NULL, 
	feedback_source TEXT NOT NULL, 
	retracted_at FLOAT, 
	PRIMARY KEY (id)
);
INSERT INTO "corrections" VALUES(1,1790000000.0,'ann@example.com','m0','low_priority',NULL,NULL,NULL,'urgent',NULL,NULL,NULL,'','{}','cli',NULL);
CREATE TABLE deliveries (
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	message_id TEXT, 
	target_id TEXT, 
	PRIMARY KEY (id)
);
CREATE TABLE delivery_attempts (
	id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	delivery_id TEXT, 
	PRIMARY KEY (id)
);
CREATE TABLE documents (
	name TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	value TEXT NOT NULL, 
	updated_at FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "documents" VALUES('policy',1,'{"levels":{"vip":2}}',1790000000.0);
CREATE TABLE event_head (
	one INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	hash TEXT NOT NULL, 
	PRIMARY KEY (one)
);
INSERT INTO "event_head" VALUES(1,3,'008adc8c7b3c1e963fb8e430723cad0a3e779fdaf9de8bf22fd0cb94d062d8c4');
CREATE TABLE events (
	seq INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	kind TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	account_id TEXT, 
	message_id TEXT, 
	run_id TEXT, 
	session_id TEXT, 
	action_id TEXT, 
	sender TEXT, 
	subject TEXT, 
	payload TEXT NOT NULL, 
	previous TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "events" VALUES(1,1790000000.0,'action.planned','agent','ann@example.com',NULL,'r1',NULL,NULL,NULL,NULL,'{"actions":2,"seq":[1,2]}','0000000000000000000000000000000000000000000000000000000000000000','359419308fef6a6a1ade7b8c684ed27292b467be1a14166cfeb4ba3359b28cd4');
INSERT INTO "events" VALUES(2,1790000000.0,'action.applied','agent','ann@example.com','m0','r1',NULL,'00000000-0000-4000-8000-000000000000',NULL,NULL,'{"type":"archive"}','359419308fef6a6a1ade7b8c684ed27292b467be1a14166cfeb4ba3359b28cd4','5a9cd731d07013d63b90d80dcd9844263d0f7db92c55a82887fb94240865eb2f');
INSERT INTO "events" VALUES(3,1790000000.0,'message.triaged','agent',NULL,NULL,NULL,NULL,NULL,'Ödön <o@example.org>','Rechnung','{}','5a9cd731d07013d63b90d80dcd9844263d0f7db92c55a82887fb94240865eb2f','008adc8c7b3c1e963fb8e430723cad0a3e779fdaf9de8bf22fd0cb94d062d8c4');
CREATE TABLE inbox_marks (
	seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	account_id TEXT NOT NULL, 
	thread_id TEXT NOT NULL
);
CREATE TABLE inbox_shown (
	number INTEGER NOT NULL, 
	"row" TEXT NOT NULL, 
	PRIMARY KEY (number)
);
CREATE TABLE inbox_state (
	account_id TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	owner TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (account_id)
);
CREATE TABLE inbox_threads (
	number INTEGER NOT NULL, 
	account_id TEXT NOT NULL, 
	thread_id TEXT NOT NULL, 
	bucket INTEGER, 
	section TEXT NOT NULL, 
	score FLOAT NOT NULL, 
	date FLOAT, 
	message_id TEXT NOT NULL, 
	header_message_id TEXT NOT NULL, 
	category TEXT NOT NULL, 
	mode TEXT NOT NULL, 
	action TEXT NOT NULL, 
	unsure BOOLEAN NOT NULL, 
	unread BOOLEAN NOT NULL, 
	taken_back INTEGER NOT NULL, 
	listed INTEGER NOT NULL, 
	judged INTEGER NOT NULL, 
	oldest FLOAT NOT NULL, 
	newest FLOAT NOT NULL, 
	is_taught BOOLEAN NOT NULL, 
	judged_at FLOAT NOT NULL, 
	holds_after FLOAT NOT NULL, 
	holds_until FLOAT NOT NULL, 
	PRIMARY KEY (number)
);
CREATE TABLE inbox_verdicts (
	"row" INTEGER NOT NULL, 
	version TEXT NOT NULL, 
	basis TEXT NOT NULL, 
	age FLOAT NOT NULL, 
	"after" FLOAT NOT NULL, 
	until FLOAT NOT NULL, 
	look BLOB, 
	value BLOB NOT NULL, 
	PRIMARY KEY ("row")
);
INSERT INTO "inbox_verdicts" VALUES(1866465280556812,'v','b',0.0,0.0,0.0,NULL,X'90');
CREATE TABLE message_marks (
	"row" INTEGER NOT NULL, 
	account_id TEXT NOT NULL, 
	marks BIGINT NOT NULL, 
	size BIGINT NOT NULL, 
	date FLOAT, 
	PRIMARY KEY ("row")
);
INSERT INTO "message_marks" VALUES(1866465280556812,'ann@example.com',12,900,1780000000.0);
INSERT INTO "message_marks" VALUES(1866465281804258,'ann@example.com',137439215617,901,1780000001.0);
CREATE TABLE message_source (
	"row" INTEGER NOT NULL, 
	summary TEXT NOT NULL, 
	refused BOOLEAN NOT NULL, 
	body BLOB, 
	defects TEXT NOT NULL, 
	PRIMARY KEY ("row")
);
INSERT INTO "message_source" VALUES(1866465280556812,'{"account":"ann@example.com","cc":[],"date":"2026-09-21T13:46:40+00:00","from":{"address":"o@example.org","name":"\u00d6d\u00f6n"},"has_attachments":false,"id":"m0","message_id":"<m0@example.org>","size":900,"snippet":"","subject":"Rechnung 0","to":[]}',0,X'78010B2E4DCA4A4D2EB152084A4DCEC82BCD4BE7E5E2E572CA2C294955A84ACCC849CDE3E50200D5220B44','');
INSERT INTO "message_source" VALUES(1866465281804258,'{"account":"ann@example.com","cc":[],"date":"2026-09-21T13:46:40+00:00","from":{"address":"o@example.org","name":"\u00d6d\u00f6n"},"has_attachments":true,"id":"m1","message_id":"<m1@example.org>","size":901,"snippet":"","subject":"Rechnung 1","to":[]}',0,NULL,'');
CREATE TABLE message_state (
	account_id TEXT NOT NULL, 
	message_id TEXT NOT NULL, 
	thread_id TEXT NOT NULL, 
	processed_at FLOAT NOT NULL, 
	content_hash TEXT NOT NULL, 
	speech_act TEXT NOT NULL, 
	content_category TEXT NOT NULL, 
	bucket TEXT NOT NULL, 
	priority_score FLOAT NOT NULL, 
	priority_reason TEXT NOT NULL, 
	cohort TEXT NOT NULL, 
	confidence FLOAT NOT NULL, 
	draft_id TEXT, 
	run_id TEXT, 
	pipeline_version TEXT NOT NULL, 
	model_used TEXT NOT NULL, phishing FLOAT, injection FLOAT, spam FLOAT, needs_reply BOOLEAN, unsubscribe TEXT, forged TEXT, withheld TEXT, model TEXT, prompt_version TEXT, 
	PRIMARY KEY (account_id, message_id)
);
INSERT INTO "message_state" VALUES('ann@example.com','m0','t0',1790000000.0,'c','fyi','newsletters','low_priority',0.1,'bulk','newsletters',0.9,NULL,NULL,'1','T0',0.9,0.1,0.2,0,'one_click','','',NULL,NULL);
CREATE TABLE message_text (
	"row" INTEGER NOT NULL, 
	content_hash TEXT NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY ("row")
);
INSERT INTO "message_text" VALUES(1866465280556812,'c','Bitte zahlen');
INSERT INTO "message_text" VALUES(1866465281804258,'c','Bitte zahlen');
PRAGMA writable_schema=ON;
INSERT INTO sqlite_master(type,name,tbl_name,rootpage,sql)VALUES('table','message_words','message_words',0,'CREATE VIRTUAL TABLE message_words USING fts5(subject, sender, people, body, content='''', tokenize="unicode61 remove_diacritics 0 categories ''L* N*''")');
CREATE TABLE 'message_words_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO "message_words_config" VALUES('version',4);
CREATE TABLE 'message_words_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO "message_words_data" VALUES(1,X'0204080004');
INSERT INTO "message_words_data" VALUES(10,X'000000000101010001010101');
INSERT INTO "message_words_data" VALUES(137438953473,X'000000CD02303083A8B1A580A1FE0C020301013183A8B1A580EE8F6202030105626974746583A8B1A580A1FE0C06010302CC91560601030201076578616D706C6583A8B1A580A1FE0C06010104CC91560601010401016F83A8B1A580A1FE0C06010103CC9156060101030203646F6E83A8B1A580A1FE0C06010102CC9156060101020202726783A8B1A580A1FE0C06010105CC9156060101050108726563686E756E6783A8B1A580A1FE0C0202CC9156020201067A61686C656E83A8B1A580A1FE0C06010303CC915606010303040D0D1A1C16181719');
CREATE TABLE 'message_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
INSERT INTO "message_words_docsize" VALUES(1866465280556812,X'02040002');
INSERT INTO "message_words_docsize" VALUES(1866465281804258,X'02040002');
CREATE TABLE 'message_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO "message_words_idx" VALUES(1,X'',2);
CREATE TABLE messages (
	"row" INTEGER NOT NULL, 
	account_id TEXT NOT NULL, 
	message_id TEXT NOT NULL, 
	thread_id TEXT NOT NULL, 
	header_message_id TEXT NOT NULL, 
	date FLOAT, 
	size BIGINT NOT NULL, 
	has_attachments BOOLEAN NOT NULL, 
	labels TEXT NOT NULL, 
	flags TEXT NOT NULL, 
	sender TEXT NOT NULL, 
	sender_name TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	recipients TEXT NOT NULL, 
	snippet TEXT NOT NULL, 
	list_id TEXT NOT NULL, 
	filenames TEXT NOT NULL, 
	has_text BOOLEAN NOT NULL, 
	generation INTEGER NOT NULL, 
	cached_at FLOAT NOT NULL, 
	PRIMARY KEY ("row")
);
INSERT INTO "messages" VALUES(1866465280556812,'ann@example.com','m0','t0','<m0@example.org>',1780000000.0,900,0,'
INBOX
UNREAD
','','o@example.org','Ödön','Rechnung 0','{}','','','',1,1,1790000000.0);
INSERT INTO "messages" VALUES(1866465281804258,'ann@example.com','m1','t0','<m1@example.org>',1780000001.0,901,1,'
SPAM
Work/Big Deals
','','o@example.org','Ödön','Rechnung 1','{}','','','',1,1,1790000000.0);
CREATE TABLE model_answers (
	account_id TEXT NOT NULL, 
	content_hash TEXT NOT NULL, 
	made_in TEXT NOT NULL, 
	model TEXT NOT NULL, 
	prompt_version TEXT NOT NULL, 
	asked_at FLOAT NOT NULL, 
	answer TEXT, 
	PRIMARY KEY (account_id, content_hash, made_in, model, prompt_version)
);
CREATE TABLE pending (
	item_id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	created_at FLOAT NOT NULL, 
	expires_at FLOAT, 
	type TEXT NOT NULL, 
	state TEXT NOT NULL, 
	account_id TEXT NOT NULL, 
	message_id TEXT, 
	thread_id TEXT, 
	run_id TEXT, 
	session_id TEXT, 
	cohort TEXT, 
	confidence FLOAT, 
	why TEXT NOT NULL, 
	proposal TEXT NOT NULL, 
	answered_at FLOAT, 
	answered_by TEXT, 
	answer TEXT NOT NULL, 
	origin TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (item_id), 
	UNIQUE (seq)
);
INSERT INTO "pending" VALUES('p0',1,1790000000.0,NULL,'notify','open','ann@example.com',NULL,NULL,NULL,NULL,NULL,NULL,'','{}',NULL,NULL,'{}','{"interface": "mcp", "name": "", "principal": "mcp_client"}');
CREATE TABLE plugin_versions (
	name TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "plugin_versions" VALUES('automations',1);
INSERT INTO "plugin_versions" VALUES('control',1);
CREATE TABLE recipients (
	"row" INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	account_id TEXT NOT NULL, 
	address TEXT NOT NULL, 
	PRIMARY KEY ("row", place)
);
CREATE TABLE sender_reputation (
	account_id TEXT NOT NULL, 
	sender TEXT NOT NULL, 
	first_seen FLOAT, 
	last_seen FLOAT, 
	message_count INTEGER NOT NULL, 
	reply_rate FLOAT, 
	read_rate FLOAT, 
	avg_response_hours FLOAT, 
	category TEXT, 
	cohort TEXT, 
	user_override TEXT, 
	last_correction FLOAT, 
	PRIMARY KEY (account_id, sender)
);
INSERT INTO "sender_reputation" VALUES('ann@example.com','bo@example.org',NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,'vip',NULL);
CREATE TABLE sync_state (
	account_id TEXT NOT NULL, 
	cursor TEXT, 
	generation INTEGER NOT NULL, 
	complete BOOLEAN NOT NULL, 
	last_sync FLOAT, 
	last_full_sync FLOAT, 
	last_error TEXT, 
	last_error_at FLOAT, 
	PRIMARY KEY (account_id)
);
CREATE INDEX actions_by_message ON actions (account_id, message_id);
CREATE INDEX actions_by_run ON actions (run_id);
CREATE INDEX actions_by_session ON actions (session_id);
CREATE INDEX actions_by_state ON actions (state);
CREATE INDEX confirmations_by_state ON confirmations (state);
CREATE INDEX corrections_by_message ON corrections (account_id, message_id);
CREATE INDEX events_by_run ON events (run_id);
CREATE INDEX message_state_by_run ON message_state (run_id);
CREATE UNIQUE INDEX messages_by_id ON messages (account_id, message_id);
CREATE INDEX messages_by_thread ON messages (account_id, thread_id);
CREATE INDEX pending_by_state ON pending (state);
CREATE INDEX messages_by_header ON messages (header_message_id);
CREATE INDEX messages_by_account ON messages (account_id, "row");
CREATE INDEX message_marks_by_marks ON message_marks (marks);
CREATE INDEX message_marks_by_size ON message_marks (size);
CREATE INDEX messages_by_sender ON messages (account_id, sender);
CREATE UNIQUE INDEX inbox_threads_by_id ON inbox_threads (thread_id, account_id);
CREATE INDEX inbox_marks_by_account ON inbox_marks (account_id);
CREATE INDEX automation_triggers_by_automation ON automation_triggers (automation_id);
CREATE INDEX automation_runs_by_status ON automation_runs (status);
CREATE INDEX automation_runs_by_automation ON automation_runs (automation_id, created_at);
CREATE INDEX control_agent_endpoints_by_agent_id ON control_agent_endpoints (agent_id, seq);
CREATE INDEX control_bindings_by_conversation_id ON control_bindings (conversation_id, seq);
CREATE INDEX control_messages_by_conversation_id ON control_messages (conversation_id, seq);
CREATE INDEX control_invocations_by_requester_id ON control_invocations (requester_id, seq);
CREATE INDEX control_flights_by_state ON control_flights (state, seq);
CREATE INDEX control_flights_by_requester_id ON control_flights (requester_id, seq);
CREATE INDEX control_collaboration_by_conversation_id ON control_collaboration (conversation_id, seq);
CREATE INDEX control_collaboration_events_by_record_id ON control_collaboration_events (record_id, seq);
CREATE INDEX deliveries_by_target_id ON deliveries (target_id, seq);
CREATE INDEX deliveries_by_message_id ON deliveries (message_id, seq);
CREATE INDEX delivery_attempts_by_delivery_id ON delivery_attempts (delivery_id, seq);
PRAGMA writable_schema=OFF;
DELETE FROM "sqlite_sequence";
COMMIT;
