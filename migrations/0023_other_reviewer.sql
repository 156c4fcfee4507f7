-- Whether the work is passed by somebody else than the operator who did it, as the catalog said when the job was ordered.
alter table jobs add other_reviewer boolean not null default false;
alter table jobs add check (quality_review or not other_reviewer);
