-- Orders that operators place for an account. Its owner allows them; nobody may without it.
alter table accounts add column takes_studio_orders boolean not null default false;
-- Whether created_by_user ordered as an operator. The version before shows such a person as a user.
alter table jobs add column by_operator boolean not null default false;
alter table jobs add check (not by_operator or (created_by_user is not null and source = 'dashboard')) not valid;
