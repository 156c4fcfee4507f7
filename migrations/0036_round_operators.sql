-- The operators who had the work of the current round: those who claimed, held or submitted it, and the makers of the
-- worker keys that did. With other_reviewer none of them passes it. A revision begins with whom it returns to.
alter table jobs add column round_operators uuid[] not null default '{}';
