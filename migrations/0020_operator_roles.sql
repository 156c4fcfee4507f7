-- What an operator may do at the desk (contract/operator-roles.ts); null for who is no operator. Operators from
-- before there were roles are owners.
alter table people add operator_role text;
alter table people add check (operator_role in ('maker', 'reviewer', 'lead', 'owner'));
update people set operator_role = 'owner' where operator;
alter table people drop column operator;
alter table people add operator boolean not null generated always as (operator_role is not null) stored;
create index on people (created_at, id) where operator;
