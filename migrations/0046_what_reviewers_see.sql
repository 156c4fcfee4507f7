-- What a reviewer is told of a picture or film, and the copy of a film that browsers can play.
alter table files
  -- Pixels of a picture, upright, as the drawing of its poster read them. Null for vectors and until then.
  add column pixel_width integer check (pixel_width > 0),
  add column pixel_height integer check (pixel_height > 0),
  add constraint files_pixels check ((pixel_width is null) = (pixel_height is null)),
  -- A copy for viewing of a film that browsers cannot play, at a key of its own; made where FFMPEG is set.
  add column viewing_status text not null default 'none' check (viewing_status in ('none', 'pending', 'made', 'failed')),
  add column viewing_key text,
  add column viewing_bytes integer check (viewing_bytes > 0),
  -- When the next attempt may begin. Each attempt postpones it, so that two processes do not make the same.
  add column viewing_due_at timestamptz(3),
  add column viewing_attempts smallint not null default 0,
  add constraint files_viewing check ((viewing_status = 'made') = (viewing_key is not null)
    and (viewing_status = 'made') = (viewing_bytes is not null)
    and (viewing_status = 'pending') = (viewing_due_at is not null)
    and (viewing_status = 'none' or uploaded_at is not null));
create index on files (viewing_key) where viewing_key is not null;
create index on files (viewing_due_at) where viewing_status = 'pending' and status = 'uploaded';
create index on files (uploaded_at) where viewing_status = 'failed';

-- `f.*` has the columns of the day on which the view was made.
drop view visible_files;
create view visible_files as
  select f.*, coalesce(f.released_at, f.sent_at, f.uploaded_at) as shown_at
  from files f
  where f.uploaded_at is not null and (f.brand_position is null or f.job_id is null)
    and (f.uploaded_by = 'customer' or f.released_at is not null or f.sent_at is not null);
